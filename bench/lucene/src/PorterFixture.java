import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.en.PorterStemFilter;

/** word TAB stem of PorterStemFilter for every word of a file with one word a line. */
final class PorterFixture {
  static void write(Path words, Path to) throws Exception {
    Analyzer analyzer =
        new Analyzer() {
          @Override
          protected TokenStreamComponents createComponents(String field) {
            Tokenizer source = new KeywordTokenizer();
            return new TokenStreamComponents(source, new PorterStemFilter(source));
          }
        };
    try (analyzer;
        BufferedWriter out = Files.newBufferedWriter(to)) {
      for (String word : new TreeSet<>(Files.readAllLines(words))) {
        if (word.isEmpty()) continue;
        out.write(word + "\t" + AnalyzerFixture.tokens(analyzer, word).get(0) + "\n");
      }
    }
  }
}
