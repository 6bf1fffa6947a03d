/*
 * The log of a command's processes, which tools/capture/trace_processes.c writes: LOG_NAME with PROCESSES_LOG, the process that
 * became the command, and 0. It is text: the line LOG_TEXT, then a line an event, in the order in which they happened:
 *
 *     TIME EVENT PROCESS CPU ...
 *
 * TIME is ns of CLOCK_MONOTONIC, CPU the processor time that the process has had, over all its programs and threads, in ns. A
 * FILE is DEVICE:INODE, by which it stays itself under whatever name; its SIZE is that of the moment. The last word
 * of a line may have blanks; a newline and a backslash stand in it as \012 and \134.
 *
 *     start                     the first event: the process becomes the command
 *     fork CHILD                a process is started; CHILD has the program of PROCESS until it has one of its own
 *     exec FILE SIZE NAME       the process has become another program, of that file
 *     read FILE SIZE PATH       a regular file was opened, which this log has in a line before that writes it
 *     write FILE SIZE PATH      the same to be written; SIZE 0: it begins anew
 *     update FILE SIZE PATH     the same to be read and written
 *     given FILE SIZE PATH      a program may write from its beginning on to what another process opened for it
 *     wait CHILD HOW            PROCESS was told that CHILD has ended, or what else became of it. HOW 1: it did nothing but wait,
 *                               0: it asked in passing
 *     pipe-in FILE              a program's standard input is that pipe
 *     pipe-out FILE             the same of its standard output, or standard error
 *     socket                    the process was connected to another one
 *     memory                    it shares memory of System V
 *     exit STATUS               it has ended; 128 and a signal that ended it
 *     left                      it was there when the command had ended
 *     end                       the last event: the command has ended
 */
#ifndef CAPTURE_PROCESSES_LOG_H
#define CAPTURE_PROCESSES_LOG_H

#define PROCESSES_LOG "processes"

#endif
