package sonde;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * A warehouse: articles are kept under codes that the caller chooses, orders reserve
 * them, shipments take them out. The service conforms to openapi.json,
 * except for three planted bugs, which README.md lists.
 */
@SpringBootApplication
@RestController
public class Warehouse {
  private static final String PASSWORD = "fork-lift";

  private final Map<String, String> tokens = new ConcurrentHashMap<>(); // a reset keeps them
  private final Map<String, Article> articles = new TreeMap<>();
  private final Map<Long, Order> orders = new TreeMap<>();
  private final Map<Long, Shipment> shipments = new TreeMap<>();
  private long lastId;

  public static void main(String[] args) {
    SpringApplication.run(Warehouse.class, args);
  }

  record Token(String refreshToken, String accessToken, int expiresIn) {}

  record NewArticle(
      @NotNull @Size(min = 1, max = 60) String name,
      @NotNull @Min(0) @Max(1000) Integer stock,
      @NotNull @Min(1) @Max(500) Integer grams) {}

  record Article(String code, String name, int stock, int grams) {}

  record NewOrder(
      @NotNull @Size(max = 80) String customer,
      @NotNull @Pattern(regexp = "[A-Z]{2}-[0-9]{3}") String articleCode,
      @NotNull @Min(1) @Max(100) Integer count) {}

  record Order(long id, String customer, String articleCode, int count, boolean shipped) {}

  record NewShipment(@NotNull @Min(1) Long order, @Size(max = 80) String note) {}

  record Shipment(long id, long order, String note) {}

  record Load(Object grams) {}

  @GetMapping("/token")
  Token token(@RequestHeader(value = "Authorization", required = false) String basic) {
    String want = "Basic " + Base64.getEncoder().encodeToString(("keeper:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
    if (!want.equals(basic)) {
      throw refused(HttpStatus.UNAUTHORIZED, "wrong user name or password");
    }
    String token = UUID.randomUUID().toString();
    tokens.put("Bearer " + token, "keeper");
    return new Token(UUID.randomUUID().toString(), token, 3600);
  }

  @GetMapping("/articles")
  synchronized Collection<Article> list(
      @RequestHeader(value = "Authorization", required = false) String caller,
      @RequestParam(required = false) Integer minStock) {
    check(caller);
    return articles.values().stream().filter(a -> minStock == null || a.stock >= minStock).toList();
  }

  @PutMapping("/articles/{code}")
  synchronized ResponseEntity<Article> put(
      @RequestHeader(value = "Authorization", required = false) String caller,
      @PathVariable String code,
      @Valid @RequestBody NewArticle body) {
    check(caller);
    if (!code.matches("[A-Z]{2}-[0-9]{3}")) {
      throw refused(HttpStatus.BAD_REQUEST, "a code is two capitals, a dash and three digits");
    }
    Article article = new Article(code, body.name, body.stock, body.grams);
    boolean fresh = articles.put(code, article) == null;
    return ResponseEntity.status(fresh ? 201 : 200).body(article);
  }

  @GetMapping("/articles/{code}")
  synchronized Article get(
      @RequestHeader(value = "Authorization", required = false) String caller, @PathVariable String code) {
    check(caller);
    return found(articles.get(code), "article");
  }

  @DeleteMapping("/articles/{code}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  synchronized void remove(
      @RequestHeader(value = "Authorization", required = false) String caller, @PathVariable String code) {
    check(caller);
    found(articles.get(code), "article");
    // Planted bug 1: the articles of an order can be removed. Computing the weight of
    // the order then throws an exception.
    articles.remove(code);
  }

  @PostMapping("/orders")
  synchronized ResponseEntity<Order> order(
      @RequestHeader(value = "Authorization", required = false) String caller, @Valid @RequestBody NewOrder body) {
    check(caller);
    found(articles.get(body.articleCode), "article");
    Order order = new Order(++lastId, body.customer, body.articleCode, body.count, false);
    orders.put(order.id, order);
    return ResponseEntity.created(URI.create("/orders/" + order.id)).body(order);
  }

  @GetMapping("/orders/{id}")
  synchronized Order getOrder(
      @RequestHeader(value = "Authorization", required = false) String caller, @PathVariable long id) {
    check(caller);
    return found(orders.get(id), "order");
  }

  @GetMapping("/orders/{id}/load")
  synchronized Load load(
      @RequestHeader(value = "Authorization", required = false) String caller, @PathVariable long id) {
    check(caller);
    Order order = found(orders.get(id), "order");
    int grams = order.count * articles.get(order.articleCode).grams;
    // Planted bug 2: a load of ten kilograms and more is answered as a text.
    return new Load(grams >= 10_000 ? grams / 1000 + " kg" : (Object) grams);
  }

  @PostMapping("/shipments")
  synchronized ResponseEntity<Shipment> ship(
      @RequestHeader(value = "Authorization", required = false) String caller, @Valid @RequestBody NewShipment body) {
    check(caller);
    Order order = found(orders.get(body.order), "order");
    if (order.shipped) {
      throw refused(HttpStatus.CONFLICT, "the order is shipped");
    }
    orders.put(order.id, new Order(order.id, order.customer, order.articleCode, order.count, true));
    Shipment shipment = new Shipment(++lastId, order.id, body.note == null ? "" : body.note);
    shipments.put(shipment.id, shipment);
    // Planted bug 3: the Location has another path than the shipment.
    return ResponseEntity.created(URI.create("/shipment/" + shipment.id)).body(shipment);
  }

  @GetMapping("/shipments/{id}")
  synchronized Shipment getShipment(
      @RequestHeader(value = "Authorization", required = false) String caller, @PathVariable long id) {
    check(caller);
    return found(shipments.get(id), "shipment");
  }

  @PostMapping("/__reset")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  synchronized void reset() {
    articles.clear();
    orders.clear();
    shipments.clear();
    lastId = 0;
  }

  private void check(String caller) {
    if (caller == null || !tokens.containsKey(caller)) {
      throw refused(HttpStatus.UNAUTHORIZED, "get a token first");
    }
  }

  private static <T> T found(T thing, String what) {
    if (thing == null) {
      throw refused(HttpStatus.NOT_FOUND, "there is no such " + what);
    }
    return thing;
  }

  private static ResponseStatusException refused(HttpStatus status, String why) {
    return new ResponseStatusException(status, why);
  }
}
