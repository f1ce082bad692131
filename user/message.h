/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to the user: one line on standard error each, with the program's
 * name in front and hostile bytes escaped.  For one thread. */
#ifndef CLOCKTOP_MESSAGE_H
#define CLOCKTOP_MESSAGE_H

/* "clocktop: …\n", in one write.  The format's result, of any length, is made
 * safe for a terminal: a newline in it is shown as \n.  Keeps errno. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* While the live screen owns the terminal, messages are kept (64 KiB of them,
 * further ones are counted) and printed by message_release(). */
void message_hold(void);
void message_release(void);

#endif
