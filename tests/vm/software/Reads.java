// SPDX-License-Identifier: GPL-2.0-only
/** Times a loop as Java programs do, with both clocks. */
public class Reads {
	public static void main(String[] args) {
		int n = Integer.parseInt(args[0]);
		long start = System.nanoTime();
		long sum = 0;
		for (int i = 0; i < n; i++)
			sum += System.currentTimeMillis() ^ System.nanoTime();
		System.out.println(n + " reads each, " + (System.nanoTime() - start) / 1000000 + " ms " + (sum & 1));
	}
}
