// SPDX-License-Identifier: GPL-2.0-only
/** Reads the clock as fast as it can, and says how often it did. */
public class Loop {
	public static void main(String[] args) {
		long until = System.currentTimeMillis() + 1000;
		for (long reads = 1;; reads++) {
			long now = System.currentTimeMillis();
			if (now < until)
				continue;
			System.out.println(reads + " reads/s");
			until = now + 1000;
			reads = 0;
		}
	}
}
