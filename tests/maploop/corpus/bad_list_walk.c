/* A list of nodes is walked and changed: node by node through next. */
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *first = NULL, *n;
    for (int i = 0; i < 30; i++) {
        n = malloc(sizeof *n);
        n->value = i;
        n->next = first;
        first = n;
    }
#pragma inlay maploop
    for (int i = 0; i < 10; i++) {
        struct node *gone = first->next;
        first->next = gone->next;
        first->value += gone->value;
        free(gone);
    }
    for (n = first; n; n = n->next) printf("%d ", n->value);
    printf("\n");
    return 0;
}
