// The calls from Java's JDBC with the driver of xerial. usage: Client module database calls
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

public class Client {
  public static void main(String[] arguments) throws Exception {
    SQLiteConfig config = new SQLiteConfig();
    config.enableLoadExtension(true);
    try (var db = DriverManager.getConnection("jdbc:sqlite:" + arguments[1], config.toProperties())) {
      try (var load = db.prepareStatement("SELECT load_extension(?)")) {
        load.setString(1, arguments[0]);
        load.execute();
      }
      for (String line : Files.readAllLines(Path.of(arguments[2]))) {
        String[] call = line.split("\t");
        String result;
        try (var statement = db.createStatement()) {
          if (call[0].equals("interrupt")) {
            new Thread(() -> {
              try {
                Thread.sleep(500);
                statement.cancel();
              } catch (Exception error) {
                System.err.println(error);
              }
            }).start();
          }
          var rows = statement.executeQuery(call[1]);
          result = rows.next() ? rows.getString(1) : "no row";
        } catch (SQLException error) {
          result = "error: " + error.getMessage();
        }
        System.out.println(call[0] + "\t" + result);
      }
    }
  }
}
