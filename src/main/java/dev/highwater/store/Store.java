package dev.highwater.store;

import java.util.function.Consumer;

/** What the other rooms see of the {@link StoreService}. */
public interface Store {
  /**
   * Takes a lease.
   *
   * @throws StoreUnavailableException while the store is being reopened, or is closed
   */
  StoreLease lease() throws StoreUnavailableException;

  /**
   * Says who is told of a failed write, flush or sync, on the thread on which it failed (or on
   * {@code highwater-store} for a failure in the background), before the failure is thrown. Called
   * once, before the first write.
   */
  void onWriteFailure(Consumer<StoreException> listener);

  /**
   * Asks for the store to be closed and opened again, on its own thread, after every lease has been
   * returned. From now on leases are refused until that has worked; it is tried again until it
   * does. Returns at once; asking twice reopens once.
   */
  void reopen();

  /**
   * Has the callback run about once a second on the store's thread, also while the store is not
   * open. It should be short: reopening waits for it.
   */
  void onTick(Runnable callback);

  /** Grows by one with every opening. */
  long generation();

  /** Whether leases are given. */
  boolean isOpen();

  /** False while the disk is so full that nothing new should be taken in. */
  boolean hasRoom();
}
