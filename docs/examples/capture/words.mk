# Two lists are made, sorted and merged: what can be done at once?
#
#     inlay capture --processes -o words.tg -- make -j2 -f words.mk
#     inlay speedup words.tg

words: a.sorted b.sorted
	sort -m -o $@ a.sorted b.sorted

%.sorted: %.list
	sort -o $@ $<

%.list:
	awk -v out=$@ 'BEGIN { for (i = 1; i < 100000; i++) print i * 7919 % 100003 > out }'

.SECONDARY:
