package dev.highwater.sink.http;

import dev.highwater.hook.HookId;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.SinkConformance;
import dev.highwater.sink.SinkFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class HttpSinkConformanceTest extends SinkConformance {
  @Override
  protected SinkFactory factory() {
    return new HttpSinkFactory(InstantSource.system(), "Highwater/test", EgressPolicy.ANY);
  }

  @Override
  protected Receiver receiver() {
    return new HttpReceiver();
  }

  private static final class HttpReceiver implements Receiver {
    private final Peer peer = new Peer(this::answer);
    private final List<Received> confirmed = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour behaviour = Behaviour.CONFIRM;

    private void answer(Peer.Request request, Peer.Wire wire) throws Exception {
      switch (behaviour) {
        case CONFIRM -> confirm(request, wire);
        case CONFIRM_SLOWLY -> {
          closed.await(500, TimeUnit.MILLISECONDS);
          confirm(request, wire);
        }
        case REFUSE -> wire.status(503);
        case NEVER_ANSWER -> wire.awaitTheEnd();
      }
    }

    private void confirm(Peer.Request request, Peer.Wire wire) throws Exception {
      confirmed.add(new Received(HookId.parse(request.header("webhook-id")), request.body()));
      wire.status(200);
    }

    @Override
    public Map<String, String> settings(Duration timeout) {
      return Map.of("url", peer.url(), "timeout", timeout.toMillis() + "ms");
    }

    @Override
    public List<Received> confirmed() {
      return confirmed;
    }

    @Override
    public int connections() {
      return peer.connections();
    }

    @Override
    public void behave(Behaviour next) {
      behaviour = next;
    }

    @Override
    public void stop() {
      peer.stop();
    }

    @Override
    public void start() {
      peer.start();
    }

    @Override
    public void close() {
      closed.countDown();
      peer.close();
    }
  }
}
