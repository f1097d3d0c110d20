import java.io.BufferedWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;

/** Random texts that visit every character class of StandardTokenizer, with their tokens. */
final class Fuzz {
  static void write(String kind, int count, long seed, Path to) throws Exception {
    List<List<Integer>> classes = classes();
    Random random = new Random(seed);
    try (Analyzer analyzer = AnalyzerFixture.named(kind);
        BufferedWriter out = Files.newBufferedWriter(to)) {
      for (int i = 0; i < count; i++) {
        AnalyzerFixture.writeOne(out, analyzer, text(classes, random));
      }
    }
  }

  private static String text(List<List<Integer>> classes, Random random) {
    int length = random.nextInt(200) == 0 ? 400 : 1 + random.nextInt(24);
    int distinct = 1 + random.nextInt(length > 100 ? 3 : 8);
    List<List<Integer>> few = new ArrayList<>();
    for (int i = 0; i < distinct; i++) few.add(classes.get(random.nextInt(classes.size())));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      List<Integer> members = few.get(random.nextInt(distinct));
      text.appendCodePoint(members.get(random.nextInt(members.size())));
      if (random.nextInt(12) == 0) text.append(random.nextBoolean() ? "s" : "ing");
    }
    return text.toString();
  }

  private static List<List<Integer>> classes() throws Exception {
    Method classOf =
        Class.forName("org.apache.lucene.analysis.standard.StandardTokenizerImpl")
            .getDeclaredMethod("zzCMap", int.class);
    classOf.setAccessible(true);
    List<List<Integer>> classes = new ArrayList<>();
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      if (point >= 0xD800 && point <= 0xDFFF) continue;
      int id = (int) classOf.invoke(null, point);
      while (classes.size() <= id) classes.add(new ArrayList<>());
      classes.get(id).add(point);
    }
    return classes;
  }
}
