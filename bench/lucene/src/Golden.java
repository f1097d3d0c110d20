import java.nio.file.Path;

/** Writes golden data from Apache Lucene; run.sh says how each command is used. */
public final class Golden {
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "analyzer" -> AnalyzerFixture.write(Path.of(args[1]), Path.of(args[2]));
      case "fuzz" -> Fuzz.write(Integer.parseInt(args[1]), Long.parseLong(args[2]), Path.of(args[3]));
      case "porter" -> PorterFixture.write(Path.of(args[1]), Path.of(args[2]));
      case "rank" -> {
        int first = Integer.parseInt(args[4]), others = Integer.parseInt(args[5]);
        RankingFixture.write(Path.of(args[1]), Path.of(args[2]), Path.of(args[3]), first, others);
      }
      default -> throw new IllegalArgumentException("unknown command " + args[0]);
    }
  }
}
