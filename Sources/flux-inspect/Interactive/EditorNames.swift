import LineEditor

// Names for types of the line editor that share theirs with types of the inspector. The editor's class has
// the name of its module, so that the module cannot be named in front of them.

typealias EditorKey = Key
typealias EditorCompletions = Completions
