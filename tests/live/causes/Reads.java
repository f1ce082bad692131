// SPDX-License-Identifier: GPL-2.0-only
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads "cpu", its own thread's CPU time, or "time", the wall clocks, so many times. */
public class Reads {
	public static void main(String[] args) throws Exception {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long sum = 0;

		for (int i = Integer.parseInt(args[1]); i > 0; i--) {
			if (args[0].equals("cpu"))
				sum += threads.getCurrentThreadCpuTime();
			else
				sum += System.nanoTime() + System.currentTimeMillis();
			Thread.sleep(5);
		}
		System.exit(sum == 0 ? 1 : 0);
	}
}
