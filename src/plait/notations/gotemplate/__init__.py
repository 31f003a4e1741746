"""Go's text/template with Sprig: `{{ .locals.name | upper | quote }}` means here what it means to Go.

lex, tree, parse        text -> an inspectable tree; knows no functions, runs nothing
refs                    which values a template may read, from the tree alone
compile, execute        tree -> closures for expressions, an explicit stack for blocks, budgets
values, text, numbers   Go's types, as few Python types as can hold them, and how Go prints them
functions               one declaration per function: signature, description, example, what it may touch
builtins, sprig, ...    the groups of functions that a front puts into its table
"""

from plait.notations.gotemplate.expression import listing, recognise

__all__ = ["listing", "recognise"]
