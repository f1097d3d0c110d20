import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** JSON Lines, read and written with the Jackson that the jar brings. */
final class Json {
  static final ObjectMapper MAPPER = new ObjectMapper();

  static List<JsonNode> read(Path path) throws Exception {
    List<JsonNode> nodes = new ArrayList<>();
    for (String line : Files.readAllLines(path)) {
      if (!line.isBlank()) nodes.add(MAPPER.readTree(line));
    }
    return nodes;
  }

  static void writeLine(BufferedWriter out, Object value) throws Exception {
    out.write(MAPPER.writeValueAsString(value));
    out.write('\n');
  }
}
