package benchmark.rig;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * How much a Java server has allocated since its start; a virtual thread's count with its carrier.
 */
final class Allocation implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection beans;
  private final ObjectName threads;

  private Allocation(JMXConnector connector) throws IOException, JMException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
    this.threads = new ObjectName("java.lang:type=Threading");
  }

  static Allocation of(Child child) throws IOException {
    try {
      var machine = VirtualMachine.attach(Long.toString(child.pid()));
      try {
        var address = new JMXServiceURL(machine.startLocalManagementAgent());
        return new Allocation(JMXConnectorFactory.connect(address));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | JMException e) {
      throw new IOException(e);
    }
  }

  double bytes() {
    try {
      return ((Number) beans.getAttribute(threads, "TotalThreadAllocatedBytes")).doubleValue();
    } catch (IOException | JMException e) {
      return Double.NaN;
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
