package benchmark.pieces;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.highwater.hook.Headers;
import dev.highwater.signature.Presets;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.Verifier;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One GitHub signature that is right. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SignatureBenchmark {
  @Param({"256", "1024", "16384", "65536"})
  public int body;

  private Verifier verifier;
  private UnverifiedRequest request;

  @Setup
  public void make() throws Exception {
    byte[] bytes = new byte[body];
    new Random(1).nextBytes(bytes);
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("benchmark-not-a-real-secret".getBytes(US_ASCII), "HmacSHA256"));
    request =
        new UnverifiedRequest(
            "POST",
            "/webhooks/bench",
            Headers.of(
                "Host", "127.0.0.1:8080",
                "Content-Type", "application/json",
                "X-GitHub-Event", "push",
                "X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(mac.doFinal(bytes))),
            bytes,
            System.currentTimeMillis());
    verifier = Presets.of("github").verifier(List.of("benchmark-not-a-real-secret"), null, null);
    if (!(verify() instanceof Verifier.Verified)) {
      throw new IllegalStateException("the signature is not right");
    }
  }

  @Benchmark
  public Verifier.Verdict verify() {
    return verifier.verify(request);
  }
}
