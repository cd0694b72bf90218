package dev.highwater.sink.http;

import dev.highwater.sink.EgressPolicy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.client5.http.DnsResolver;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the host of one sink and asks the policy about what came out. The client connects to the
 * very addresses returned here.
 *
 * <p>The look-up is a native call that a time-out cannot reach and that holds the carrier of a
 * virtual thread, so a dead name server would stop every virtual thread of the process. It runs on
 * a platform thread of its own; everybody who asks meanwhile waits for the same one, so a sink has
 * one such thread at most (G10).
 */
final class CheckedDns implements DnsResolver {
  private final Lookup lookup;
  private final EgressPolicy egress;
  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable FutureTask<InetAddress[]> running;

  CheckedDns(Lookup lookup, EgressPolicy egress, String label) {
    this(lookup, egress, Thread.ofPlatform().daemon().name("highwater-dns-" + label).factory());
  }

  /**
   * @param threads makes the thread of each look-up
   */
  CheckedDns(Lookup lookup, EgressPolicy egress, ThreadFactory threads) {
    this.lookup = lookup;
    this.egress = egress;
    this.threads = threads;
  }

  /** What knows names; also takes literal addresses. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /** The policy refuses one of the addresses. */
  static final class RefusedAddressException extends UnknownHostException {
    private RefusedAddressException() {
      super("refused by the egress policy");
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = await(lookUp(host));
    for (InetAddress address : addresses) {
      if (!egress.allows(address)) {
        throw new RefusedAddressException();
      }
    }
    return addresses;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  /** A sink has one host, so a look-up under way is a look-up of the same name. */
  private FutureTask<InetAddress[]> lookUp(String host) {
    lock.lock();
    try {
      FutureTask<InetAddress[]> task = running;
      if (task == null || task.isDone()) {
        task = new FutureTask<>(() -> lookup.all(host));
        threads.newThread(task).start();
        // Not before: where no thread can be had, nobody must wait for what never runs.
        running = task;
      }
      return task;
    } finally {
      lock.unlock();
    }
  }

  private static InetAddress[] await(FutureTask<InetAddress[]> task) throws UnknownHostException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException("interrupted");
    } catch (ExecutionException e) {
      var failure = new UnknownHostException("look-up failed");
      failure.initCause(e.getCause());
      throw failure;
    }
  }
}
