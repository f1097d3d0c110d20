import java.nio.file.Path;

/** Writes golden data from Apache Lucene; run.sh says how each command is used. */
public final class Golden {
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "analyzer" -> AnalyzerFixture.write(args[1], Path.of(args[2]), Path.of(args[3]));
      case "fuzz" -> {
        int count = Integer.parseInt(args[2]);
        Fuzz.write(args[1], count, Long.parseLong(args[3]), Path.of(args[4]));
      }
      case "porter" -> PorterFixture.write(Path.of(args[1]), Path.of(args[2]));
      case "rank" -> {
        int first = Integer.parseInt(args[4]), others = Integer.parseInt(args[5]);
        RankingFixture.write(Path.of(args[1]), Path.of(args[2]), Path.of(args[3]), first, others);
      }
      case "rank-cjk" -> {
        int depth = Integer.parseInt(args[3]);
        RankingFixture.writeCjk(Path.of(args[1]), Path.of(args[2]), depth);
      }
      default -> throw new IllegalArgumentException("unknown command " + args[0]);
    }
  }
}
