// SPDX-License-Identifier: GPL-2.0-only
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads its own thread's CPU time 5,000 times and another thread's 300 times. */
public class Cpu {
	public static void main(String[] args) throws Exception {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		Thread other = new Thread(() -> {
			try {
				Thread.sleep(600_000);
			} catch (InterruptedException done) {
			}
		});
		other.start();
		for (int i = 0; i < 5000; i++)
			threads.getCurrentThreadCpuTime();
		for (int i = 0; i < 300; i++)
			threads.getThreadCpuTime(other.getId());
		other.interrupt();
		other.join();
	}
}
