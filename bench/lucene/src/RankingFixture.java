import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/** TREC runs: under CJKAnalyzer, and under EnglishAnalyzer BM25 with Lucene's lengths at two settings, with exact lengths, and query-side BM25. */
final class RankingFixture {
  private record Hit(String id, byte[] bytes, float score) {}

  /** The first kind is kept to a depth of its own: full rankings of a large set weigh much. */
  static void write(Path corpus, Path queries, Path folder, int first, int others)
      throws Exception {
    Map<String, Similarity> kinds = new LinkedHashMap<>();
    kinds.put("lucene-0.9-0.4", new BM25Similarity(0.9f, 0.4f));
    kinds.put("lucene-1.2-0.75", new BM25Similarity(1.2f, 0.75f));
    kinds.put("exact-0.9-0.4", new ExactLengthSimilarity(0.9f, 0.4f));
    int depth = first;
    for (Map.Entry<String, Similarity> kind : kinds.entrySet()) {
      Path to = folder.resolve(kind.getKey() + ".trec.gz");
      rank(new EnglishAnalyzer(), Json.read(corpus), Json.read(queries), kind.getValue(), depth, to, null);
      depth = others;
    }
    float[] saturation = {1.2f, 0.75f};
    Path to = folder.resolve("bm25qs-1.2-0.75.trec.gz");
    Similarity similarity = new BM25Similarity(saturation[0], saturation[1]);
    rank(
        new EnglishAnalyzer(), Json.read(corpus), Json.read(queries), similarity, others, to, saturation);
  }

  /** Every text of a file of texts against all of them under CJKAnalyzer; ids are line numbers from 0. */
  static void writeCjk(Path texts, Path to, int depth) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode row : Json.read(texts)) {
      ObjectNode numbered = row.deepCopy();
      rows.add(numbered.put("_id", Integer.toString(rows.size())));
    }
    Similarity similarity = new BM25Similarity(0.9f, 0.4f);
    rank(AnalyzerFixture.named("cjk"), rows, rows, similarity, depth, to, null);
  }

  /** Queries are bags of words, or weighted by BM25 with the given k1 and b. */
  private static void rank(
      Analyzer analyzer,
      List<JsonNode> corpus,
      List<JsonNode> queries,
      Similarity similarity,
      int depth,
      Path to,
      float[] saturation)
      throws Exception {
    IndexSearcher.setMaxClauseCount(Integer.MAX_VALUE);
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setSimilarity(similarity);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (JsonNode row : corpus) {
        Document document = new Document();
        document.add(new StoredField("id", row.get("_id").asText()));
        document.add(new TextField("text", row.get("text").asText(), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory);
        Writer out =
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(to)), StandardCharsets.UTF_8)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity);
      for (JsonNode row : queries) {
        List<Hit> hits = search(searcher, query(analyzer, row.get("text").asText(), reader, saturation));
        for (int i = 0; i < Math.min(depth, hits.size()); i++) {
          Hit hit = hits.get(i);
          String query = row.get("_id").asText();
          out.write(
              query + " Q0 " + hit.id + " " + (i + 1) + " " + Float.toString(hit.score) + " lucene\n");
        }
      }
    }
  }

  /**
   * Anserini's BagOfWordsQueryGenerator, a clause for each distinct term, boosted by its count; or with
   * k1 and b the formula of its QuerySideBm25QueryGenerator.
   */
  private static Query query(
      Analyzer analyzer, String text, DirectoryReader reader, float[] saturation) throws Exception {
    List<String> tokens = AnalyzerFixture.tokens(analyzer, text);
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String token : tokens) counts.merge(token, 1, Integer::sum);
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      Term term = new Term("text", entry.getKey());
      float boost = entry.getValue();
      if (saturation != null) boost = querySide(boost, tokens.size(), reader, term, saturation);
      builder.add(new BoostQuery(new TermQuery(term), boost), BooleanClause.Occur.SHOULD);
    }
    return builder.build();
  }

  private static float querySide(
      float count, int length, DirectoryReader reader, Term term, float[] saturation)
      throws Exception {
    int n = reader.getDocCount("text");
    float average = reader.getSumTotalTermFreq("text") / (float) n;
    long df = reader.docFreq(term);
    float k1 = saturation[0], b = saturation[1];
    float idf = (float) Math.log(1 + (n - df + 0.5) / (df + 0.5));
    return idf * (count / (count + k1 * (1 - b + b * (length / average))));
  }

  private static List<Hit> search(IndexSearcher searcher, Query query) throws Exception {
    int all = searcher.getIndexReader().maxDoc();
    TopScoreDocCollector collector = TopScoreDocCollector.create(all, Integer.MAX_VALUE);
    searcher.search(query, collector);
    List<Hit> hits = new ArrayList<>();
    for (ScoreDoc found : collector.topDocs().scoreDocs) {
      String id = searcher.doc(found.doc).get("id");
      hits.add(new Hit(id, id.getBytes(StandardCharsets.UTF_8), found.score));
    }
    hits.sort(
        (left, right) ->
            left.score != right.score
                ? Float.compare(right.score, left.score)
                : Arrays.compareUnsigned(right.bytes, left.bytes));
    return hits;
  }
}
