import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** {"text", "tokens"} of an analyzer for every text of a file with one JSON string a line. */
final class AnalyzerFixture {
  static void write(String kind, Path texts, Path to) throws Exception {
    try (Analyzer analyzer = named(kind);
        BufferedWriter out = Files.newBufferedWriter(to)) {
      for (JsonNode text : Json.read(texts)) writeOne(out, analyzer, text.asText());
    }
  }

  static Analyzer named(String kind) {
    return switch (kind) {
      case "english" -> new EnglishAnalyzer();
      case "cjk" -> new CJKAnalyzer();
      default -> throw new IllegalArgumentException("unknown analyzer " + kind);
    };
  }

  static void writeOne(BufferedWriter out, Analyzer analyzer, String text) throws Exception {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("text", text);
    row.put("tokens", tokens(analyzer, text));
    Json.writeLine(out, row);
  }

  static List<String> tokens(Analyzer analyzer, String text) throws Exception {
    List<String> tokens = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("text", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) tokens.add(term.toString());
      stream.end();
    }
    return tokens;
  }
}
