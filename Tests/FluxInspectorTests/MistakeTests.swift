import Testing

@testable import FluxInspector

@Suite("Typical mistakes")
struct MistakeTests {
  @Test(
    "What people bring from other tools is answered with what they need here",
    arguments: [
      (
        #"run"#,
        #"""
        error: no command run
        hint: here that is: start, and then continue
        """#
      ),
      (
        #"p todos->items"#,
        #"""
        error: here '>' compares, and there is no store items
        hint: to write to a file: >! items, or | cat > items
        """#
      ),
      (
        #"10-20"#,
        #"""
        error: no command 10-20
        hint: here that is: list 10-20
        """#
      ),
      (
        #"trust ."#,
        #"""
        error: no command trust
        hint: here that is: !flux-inspect trust, a subcommand of the program
        """#
      ),
      (
        #"po todos"#,
        #"""
        error: no command po
        hint: here that is: print VALUE
        """#
      ),
      (
        #"expr todos.items[0]"#,
        #"""
        error: no command expr
        hint: here that is: print VALUE
        """#
      ),
      (
        #"frame variable"#,
        #"""
        error: no command frame
        hint: here that is: where
        """#
      ),
      (
        #"thread backtrace"#,
        #"""
        error: no command thread
        hint: here that is: where
        """#
      ),
      (
        #"backtrace"#,
        #"""
        error: no command backtrace
        hint: here that is: where
        """#
      ),
      (
        #"goto [Auth] Login#2"#,
        #"""
        error: goto: too many arguments
        hint: a position with blanks is in quotes: goto "[Auth] Login#2"
        """#
      ),
      (
        #"fork [Auth] Login"#,
        #"""
        error: fork: too many arguments
        hint: usage: fork [POS]
        """#
      ),
      (
        #"help 5x"#,
        #"""
        error: no command 5x
        hint: 'help' lists the commands
        """#
      ),
      (
        #"bt full"#,
        #"""
        error: where: too many arguments
        hint: usage: where
        """#
      ),
      (
        #"finish"#,
        #"""
        error: no command finish
        hint: here that is: next
        """#
      ),
      (
        #"x/10x todos"#,
        #"""
        error: no command x/10x
        hint: 'help' lists the commands
        """#
      ),
      (
        #"set var todos.items=1"#,
        #"""
        error: no setting var
        hint: the settings are color, format, identity, list, pager, timeout
        """#
      ),
      (
        #"break 5"#,
        #"""
        1 breakpoint 5
        note: no action of the log matches 5; 'goto 5' goes to that step
        """#
      ),
      (
        #"break todo/tog"#,
        #"""
        1 breakpoint todo/tog
        note: no action of the log matches todo/tog; did you mean todo/toggle?
        """#
      ),
      (
        #"catch reject"#,
        #"""
        error: catch: expected rejected, gap, divergence or rule NAME; did you mean rejected?
        hint: usage: catch rejected|gap|divergence|rule NAME
        """#
      ),
      (
        #"count todos.items[9].title == milk"#,
        #"""
        8
        note: there is no store milk, so it equals every absent value; a text has quotes: "milk"
        """#
      ),
      (
        #"count todos is empty"#,
        #"""
        0
        note: this is no expression, and was searched as a text in types and payloads
        """#
      ),
      (
        #"count search == null"#,
        #"""
        0
        note: an absent value is not null; to test that there is no value: !search
        """#
      ),
      (
        #"count search != null && todos.items[0].id == 9"#,
        #"""
        0
        note: an absent value is not null; to test that there is a value: search
        """#
      ),
      (
        #"count todos.items == milk"#,
        #"""
        0
        note: milk is neither at the start nor at the end of the log; a text has quotes: "milk"
        """#
      ),
      (
        #"count action.type == 'todo/add'"#,
        #"""
        0
        note: action is neither at the start nor at the end of the log; it is a part of the step: print $.action
        """#
      ),
      (
        #"count todos.items[9].done"#,
        #"""
        0
        note: todos.items[9] is neither at the start nor at the end of the log
        """#
      ),
      (
        #"break todo/add:12"#,
        #"""
        1 breakpoint todo/add:12
        note: no action of the log matches todo/add:12; did you mean todo/add?
        """#
      ),
      (
        #"breakpoint set --name todo/add"#,
        #"""
        error: breakpoints: no option --name
        hint: usage: breakpoints
        """#
      ),
      (
        #"delete"#,
        #"""
        error: delete: the number of a stop point is missing
        hint: 'breakpoints' lists them
        """#
      ),
      (
        #"continue 3"#,
        #"""
        error: continue: too many arguments
        hint: usage: continue
        """#
      ),
      (
        #"next 0"#,
        #"""
        error: next: expected a number of steps, at least 1, found 0
        hint: usage: next [n|GLOB|EXPR|TEXT]
        """#
      ),
      (
        #"list 5,10"#,
        #"""
        error: list: 5,10 is not a range
        hint: a range is A..B, inclusive, and either end may be omitted; a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
        """#
      ),
      (
        #"list 5 10"#,
        #"""
        error: list: too many arguments
        hint: usage: list [RANGE]
        """#
      ),
      (
        #"ptype todos"#,
        #"""
        error: no command ptype
        hint: here that is: stores
        """#
      ),
      (
        #"tbreak"#,
        #"""
        error: tbreak: the type of an action is missing
        hint: usage: tbreak GLOB [if EXPR]
        """#
      ),
      (
        #"watch todos if"#,
        #"""
        error: watch: an expression is missing
        hint: usage: watch VALUE [if EXPR]
        """#
      ),
      (
        #"display/i todos"#,
        #"""
        error: no command display/i; did you mean display?
        hint: 'help' lists the commands
        """#
      ),
      (
        #"\d"#,
        #"""
        error: no command \d
        hint: here that is: stores
        """#
      ),
      (
        #"\q"#,
        #"""
        error: no command \q
        hint: here that is: quit
        """#
      ),
      (
        #"select * from todos;"#,
        #"""
        error: no command select
        hint: here that is: find GLOB|EXPR
        """#
      ),
      (
        #":q"#,
        #"""
        error: no command :q
        hint: here that is: quit
        """#
      ),
      (
        #".todos.items[0]"#,
        #"""
        error: no command .todos.items[0]
        hint: to show what a path selects: print todos.items[0]
        """#
      ),
      (
        #"items.0.done"#,
        #"""
        error: no command items.0.done
        hint: to show what a path selects: print todos.items[0].done
        """#
      ),
      (
        #"lines.0"#,
        #"""
        error: no command lines.0
        hint: 'help' lists the commands
        """#
      ),
      (
        #"payload.title"#,
        #"""
        error: no command payload.title
        hint: to show what a path selects: print $.action.payload.title
        """#
      ),
      (
        #"todos.items"#,
        #"""
        error: no command todos.items
        hint: to show what a path selects: print todos.items
        """#
      ),
      (
        #"print todos.items[0].done = true"#,
        #"""
        error: print: column 21: expected '&&', '||' or the end, found '='
          todos.items[0].done = true
                              ^
        hint: values are compared with '=='
        """#
      ),
      (
        #"print todos[items]"#,
        #"""
        error: print: column 7: expected a selector, found 'i'
          todos[items]
                ^
        hint: a selector is a name in quotes, an index, a slice such as 1:3, '*', or a filter '?…'
        """#
      ),
      (
        #"skip 3"#,
        #"""
        error: no command skip
        hint: here that is: redispatch RANGE --skip N
        """#
      ),
      (
        #"revert"#,
        #"""
        error: no command revert
        hint: here that is: undo
        """#
      ),
      (
        #"dispatch todo/add"#,
        #"""
        error: dispatch: the action is not JSON: byte 1: unexpected 'o' (0x6F); not allowed at this place in a JSON value
        hint: an action is JSON: dispatch {"type":"todo/add"}
        """#
      ),
      (
        #"dispatch {type: 'todo/add'}"#,
        #"""
        error: dispatch: the action is not JSON: byte 1: unexpected 't' (0x74); not allowed at this place in a JSON value
        hint: an action is JSON, as in the log: dispatch {"type":"todo/toggle","payload":{"id":2}}
        """#
      ),
      (
        #"{"type":"todo/add"}"#,
        #"""
        error: a line begins with a command
        hint: to dispatch an action: dispatch {…}
        """#
      ),
      (
        #"ls"#,
        #"""
        error: no command ls
        hint: here that is: !CMD, which runs a shell command
        """#
      ),
      (
        #"goto todo/ad"#,
        #"""
        error: goto: todo/ad is not a position; did you mean todo/add#1?
        hint: a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
        """#
      ),
      (
        #"goto 99"#,
        #"""
        error: there is no step 99; the log has steps 1 to 8
        """#
      ),
      (
        #"print todos.itmes"#,
        #"""
        error: no path todos.itmes at step 5; did you mean todos.items?
        """#
      ),
      (
        #"print length(tods)"#,
        #"""
        error: no path tods at step 5; did you mean todos?
        """#
      ),
      (
        #"until todos.items.length > 1"#,
        #"""
        nothing found; still at
        5 todo/toggle {"id":2} +3s
          changed: todos
        note: todos.items.length is neither at the start nor at the end of the log; for the number of elements: length(todos.items)
        """#
      ),
      (
        #"find todo/adx"#,
        #"""
        no step matches
        note: did you mean todo/add?
        """#
      ),
      (
        #"diff 1 2 3"#,
        #"""
        error: diff: too many arguments
        hint: usage: diff [A] [B] [--store S] [--patch|--stat|--identity]
        """#
      ),
      (
        #"print 'todos'"#,
        #"""
        error: print: column 1: a path cannot start with '''
          'todos'
          ^
        hint: without quotes: print todos
        """#
      ),
      (
        #"print todos items"#,
        #"""
        error: print: column 7: expected '&&', '||' or the end, found 'i'
          todos items
                ^
        hint: usage: print VALUE [--depth N] [--all]
        """#
      ),
      (
        #"export json out.json"#,
        #"""
        error: export: there is no format json; it is one of redux, actions, csv or trace
        hint: usage: export redux|actions|csv|trace FILE|-o FILE [RANGE] [--force]
        """#
      ),
      (
        #"fork"#,
        #"""
        error: this replays actions, which needs the app
        hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself
        """#
      ),
      (
        #"info breakpoints"#,
        #"""
        no stop points
        """#
      ),
      (
        #"up 2"#,
        #"""
        error: no step of the log caused step 5
        hint: 'effects' lists the steps that it caused
        """#
      ),
      (
        #"print .todos"#,
        #"""
        error: print: column 1: a path cannot start with '.'
          .todos
          ^
        hint: did you mean todos?
        """#
      ),
      (
        #"print todos.items.0.done"#,
        #"""
        error: print: column 13: expected a name or '*' after '.', found '0'
          todos.items.0.done
                      ^
        hint: did you mean todos.items[0].done?
        """#
      ),
      (
        #"jump 5"#,
        #"""
        5 todo/toggle {"id":2} +3s
          changed: todos
        """#
      ),
      (
        #"down"#,
        #"""
        error: step 5 caused no other step
        """#
      ),
      (
        #"first length(todos.items) > 1"#,
        #"""
        3 todo/add {"title":"eggs"} +1.25s
          changed: todos
        """#
      ),
      (
        #"last length(todos.items)"#,
        #"""
        3 todo/add {"title":"eggs"} +1.25s
          changed: todos
        """#
      ),
      (
        #"break todo/* length(todos.items) > 1"#,
        #"""
        error: break: an action type contains no blanks
        hint: a condition begins with if: break todo/* if length(todos.items) > 1
        """#
      ),
      (
        #"blame todos.items > 2000"#,
        #"""
        error: '> 2000' is neither a file nor a comparison here
        hint: the name of a file has a '/' or a '.', or is in quotes: > ./2000
        """#
      ),
      (
        #"state > out"#,
        #"""
        error: '> out' is neither a file nor a comparison here
        hint: the name of a file has a '/' or a '.', or is in quotes: > ./out
        """#
      ),
      (
        #"print todos.items > 2.5"#,
        #"""
        false
        """#
      ),
      (
        #"print todos.items/100"#,
        #"""
        error: print: column 12: expected a segment: '.name', '[…]' or '..', found '/'
          todos.items/100
                     ^
        hint: there is no arithmetic: compare values, as in todos.items > 100
        """#
      ),
      (
        #"print payload"#,
        #"""
        error: no path payload at step 5
        hint: the action of the step is $.action: print $.action.payload
        """#
      ),
      (
        #"until todo/*"#,
        #"""
        8 todo/clear +10s
          changed: todos, search
        """#
      ),
      (
        #"until milk"#,
        #"""
        nothing found; still at
        5 todo/toggle {"id":2} +3s
          changed: todos
        """#
      ),
      (
        #"next todo/clear"#,
        #"""
        8 todo/clear +10s
          changed: todos, search
        """#
      ),
      (
        #"find MILK"#,
        #"""
        1 todo/add {"title":"milk"} +0.5s  todos
        """#
      ),
      (
        #"find green tea"#,
        #"""
        no step matches
        """#
      ),
      (
        #"count a title"#,
        #"""
        0
        """#
      ),
      (
        #"goto end-3"#,
        #"""
        5 todo/toggle {"id":2} +3s
          changed: todos
        """#
      ),
      (
        #"goto end-99"#,
        #"""
        0 start: the state before the first step
        note: stopped at the start, 8 steps before the end
        """#
      ),
      (
        #"goto @-2"#,
        #"""
        2 todo/saved {"id":1} +1s
          changed: nothing
          caused by step 1, by the effect save
        """#
      ),
      (
        #"goto @+2"#,
        #"""
        7 search/type "mi" +4.75s
          changed: search
          caused by step 6
        """#
      ),
      (
        #"list 2-4"#,
        #"""
          2 todo/saved {"id":1} +1s  caused by 1
          3 todo/add {"title":"eggs"} +1.25s  todos
          4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
        """#
      ),
      (
        #"list 4-2"#,
        #"""
        error: the range ends at step 2, before it begins at step 4
        """#
      ),
      (
        #"bookmark -d nope"#,
        #"""
        error: no bookmark $nope
        """#
      ),
      (
        #"bookmark -d nope 3"#,
        #"""
        error: bookmark: too many arguments
        hint: usage: bookmark NAME [POS] | -d NAME
        """#
      ),
      (
        #"alias -d one two"#,
        #"""
        error: alias: too many arguments
        hint: usage: alias [-d] [NAME [TEXT]]
        """#
      ),
      (
        #"delete display 7"#,
        #"""
        error: no display 7
        hint: 'display' lists them
        """#
      ),
      (
        #"delete fork 7"#,
        #"""
        error: no fork 7
        hint: 'fork' makes one here
        """#
      ),
      (
        #"delete $nope"#,
        #"""
        error: no bookmark $nope
        """#
      ),
      (
        #"show todos.items[0]"#,
        #"""
        {
          "done": false,
          "id": 1,
          "title": "milk"
        }
        """#
      ),
      (
        #"show 17"#,
        #"""
        error: no setting 17
        hint: to go to a step: goto 17
        """#
      ),
      (
        #"todo/add#x"#,
        #"""
        error: no command todo/add#x
        hint: a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
        """#
      ),
      (
        #"show on"#,
        #"""
        error: this needs a running app; the session has only a log
        hint: 'flux-inspect attach' opens a session with a running app
        """#
      ),
      (
        #"show nothing"#,
        #"""
        error: no setting nothing
        hint: the settings are color, format, identity, list, pager, timeout
        """#
      ),
      (
        #"caused"#,
        #"""
        this step caused no other
        """#
      ),
      (
        #"reverse-step"#,
        #"""
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed
        """#
      ),
      (
        #"reverse-next"#,
        #"""
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed
        """#
      ),
      (
        #"advance todo/clear"#,
        #"""
        8 todo/clear +10s
          changed: todos, search
        """#
      ),
      (
        #"export trace"#,
        #"""
        error: export: a file is missing
        hint: usage: export redux|actions|csv|trace FILE|-o FILE [RANGE] [--force]
        """#
      ),
      (
        #"prev search/*"#,
        #"""
        nothing found; still at
        5 todo/toggle {"id":2} +3s
          changed: todos
        """#
      ),
      (
        #"values todos"#,
        #"""
        0 initial = {"items":[]}
        1 todo/add = {"items":[{"done":false,"id":1,"title":"milk"}]}
        3 todo/add = {"items":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]}
        5 todo/toggle = {"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}
        8 todo/clear = {"items":[]}
        """#
      ),
      (
        #"until "length(todos.items) > 1""#,
        #"""
        error: until: column 1: a literal is not a condition
          "length(todos.items) > 1"
          ^
        hint: without quotes: until length(todos.items) > 1
        """#
      ),
      (
        #"break 'todo/add'"#,
        #"""
        error: break: an action type contains no quotes
        hint: without quotes: break todo/add
        """#
      ),
      (
        #"find 'milk'"#,
        #"""
        error: find: column 1: a literal is not a condition
          'milk'
          ^
        hint: without quotes: find milk
        """#
      ),
      (
        #"dispatch '{"type":"todo/add"}'"#,
        #"""
        error: dispatch: the action is not JSON: byte 0: unexpected ''' (0x27); not allowed at this place in a JSON value
        hint: without quotes: dispatch {"type":"todo/add"}
        """#
      ),
      (
        #"print "todos.items""#,
        #"""
        error: print: column 1: a path cannot start with '"'
          "todos.items"
          ^
        hint: without quotes: print todos.items
        """#
      ),
      (
        #"report"#,
        #"""
        error: no command report
        hint: here that is: !flux-inspect report, a subcommand of the program
        """#
      ),
      (
        #"flux-inspect log.jsonl"#,
        #"""
        error: no command flux-inspect
        hint: here that is: quit, and open the other log
        """#
      ),
      (
        #"tag here"#,
        #"""
        error: no command tag
        hint: here that is: bookmark NAME
        """#
      ),
      (
        #"rwatch todos"#,
        #"""
        error: no command rwatch
        hint: here that is: watch VALUE
        """#
      ),
      (
        #"assert length(todos.items) == 2"#,
        #"""
        error: no command assert
        hint: here that is: until EXPR, or rules FILE
        """#
      ),
      (
        #"send todo/add"#,
        #"""
        error: no command send
        hint: here that is: dispatch JSON
        """#
      ),
      (
        #"reverse-finish"#,
        #"""
        error: no command reverse-finish
        hint: here that is: prev
        """#
      ),
      (
        #"tail"#,
        #"""
        error: no command tail
        hint: here that is: end, and then list
        """#
      ),
      (
        #"test"#,
        #"""
        error: test: a file is missing
        hint: usage: test FILE [--because X --expect V --smallest --import M --stores F --force]
        """#
      ),
      (
        #"test x.swift --becase todos"#,
        #"""
        error: test: no option --becase; did you mean --because?
        hint: usage: test FILE [--because X --expect V --smallest --import M --stores F --force]
        """#
      ),
      (
        #"bookmark 5"#,
        #"""
        error: bookmark: 5 is not a name
        hint: a name begins with a letter or '_', and contains only letters, digits, '_', '-' and '.'
        """#
      ),
      (
        #"step -1"#,
        #"""
        error: step: expected a number of steps, at least 1, found -1
        hint: the other way: back 1
        """#
      ),
      (
        #"back two"#,
        #"""
        error: back: expected a number of steps, at least 1, found two
        hint: usage: back [n]
        """#
      ),
      (
        #"state tods"#,
        #"""
        error: no store tods; did you mean todos?
        hint: the stores are search, todos
        """#
      ),
      (
        #"blame todos.items[0].titel"#,
        #"""
        error: no path todos.items[0].titel at step 5; did you mean todos.items[0].title?
        """#
      ),
      (
        #"undisplay 3"#,
        #"""
        error: no display 3
        hint: 'display' lists them
        """#
      ),
      (
        #"enable 1"#,
        #"""
        error: no stop point 1
        hint: 'breakpoints' lists them
        """#
      ),
      (
        #"set colour never"#,
        #"""
        error: no setting colour; did you mean color?
        hint: the settings are color, format, identity, list, pager, timeout
        """#
      ),
      (
        #"set color maybe"#,
        #"""
        error: set: color cannot be maybe
        hint: expected auto, always, never
        """#
      ),
      (
        #"until todos.items[0].done = true"#,
        #"""
        error: until: column 21: expected '&&', '||' or the end, found '='
          todos.items[0].done = true
                              ^
        hint: values are compared with '=='
        """#
      ),
      (
        #"until $.action.type == todo/add"#,
        #"""
        error: until: column 22: expected '&&', '||' or the end, found '/'
          $.action.type == todo/add
                               ^
        hint: a text is in quotes: $.action.type == 'todo/add'
        """#
      ),
      (
        #"find $.action.type == todo/add"#,
        #"""
        error: find: column 22: expected '&&', '||' or the end, found '/'
          $.action.type == todo/add
                               ^
        hint: a text is in quotes: $.action.type == 'todo/add'
        """#
      ),
      (
        #"list todo/add"#,
        #"""
        error: list: todo/add is not a range
        hint: to list the steps of a type: find todo/add
        """#
      ),
      (
        #"print todos.items.count"#,
        #"""
        error: no path todos.items.count at step 5
        hint: for the number of elements: length(todos.items)
        """#
      ),
      (
        #"print $.payload"#,
        #"""
        error: no path $.payload at step 5
        hint: the action of the step is $.action: print $.action.payload
        """#
      ),
      (
        #"print state.todos"#,
        #"""
        error: no path state.todos at step 5
        hint: paths begin with a store: todos
        """#
      ),
      (
        #"print todos.items[0].done and true"#,
        #"""
        error: print: column 21: expected '&&', '||' or the end, found 'a'
          todos.items[0].done and true
                              ^
        hint: write '&&' for 'and'
        """#
      ),
      (
        #"print sum(todos.items[*].id)"#,
        #"""
        error: print: column 1: there is no function 'sum'
          sum(todos.items[*].id)
          ^
        hint: the functions are length, count, match, search, value, was, changed
        """#
      ),
      (
        #"print lenght(todos.items)"#,
        #"""
        error: print: column 1: there is no function 'lenght'
          lenght(todos.items)
          ^
        hint: did you mean length?
        """#
      ),
      (
        #"print length(todos.items, 3)"#,
        #"""
        error: print: column 1: length() takes one argument, not 2
          length(todos.items, 3)
          ^
        hint: usage: print VALUE [--depth N] [--all]
        """#
      ),
      (
        #"help foo"#,
        #"""
        error: no command foo
        hint: 'help' lists the commands
        """#
      ),
      (
        #"quit now"#,
        #"""
        error: quit: expected a code from 0 to 255, found now
        hint: usage: quit [CODE]
        """#
      ),
      (
        #"play fast"#,
        #"""
        error: play: expected a multiple of the recorded speed, found fast
        hint: usage: play [speed]
        """#
      ),
      (
        #"where 3"#,
        #"""
        error: where: too many arguments
        hint: where is about the step here; first: goto 3
        """#
      ),
      (
        #"action 3"#,
        #"""
        error: action: too many arguments
        hint: action is about the step here; first: goto 3
        """#
      ),
      (
        #"watch todos.itmes"#,
        #"""
        1 watchpoint todos.itmes
        note: no path todos.itmes at step 5; did you mean todos.items?
        """#
      ),
      (
        #"display todos.itmes"#,
        #"""
          1: todos.itmes has no value
        note: no path todos.itmes at step 5; did you mean todos.items?
        """#
      ),
      (
        #"last todo/add"#,
        #"""
        error: last: column 5: expected a segment: '.name', '[…]' or '..', found '/'
          todo/add
              ^
        hint: if that is the type of an action: find todo/add
        """#
      ),
      (
        #"redispatch 3 --skip 3"#,
        #"""
        error: this replays actions, which needs the app
        hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself
        """#
      ),
      (
        #"shrink length(todos.items) > 1"#,
        #"""
        error: this replays actions, which needs the app
        hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself
        """#
      ),
      (
        #"compare"#,
        #"""
        error: this is the recording, not a fork
        hint: 'fork' makes one here
        """#
      ),
      (
        #"switch 3"#,
        #"""
        error: no fork 3
        hint: 'fork' makes one here
        """#
      ),
      (
        #"goto 3.5"#,
        #"""
        error: goto: 3.5 is not a position
        hint: a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
        """#
      ),
      (
        #"diff a b"#,
        #"""
        error: diff: a is not a position
        hint: a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
        """#
      ),
      (
        #"find rejected"#,
        #"""
        no step matches
        note: for the steps that were rejected: find $.rejected
        """#
      ),
      (
        #"print $.rejected.message"#,
        #"""
        error: no path $.rejected.message at step 5
        hint: the step was not rejected; 'find $.rejected' lists the steps that were
        """#
      ),
      (
        #"break length(todos.items) > 2"#,
        #"""
        error: break: length(todos.items) > 2 is an expression, not an action type
        hint: to go to the next step at which it is true: until length(todos.items) > 2
        """#
      ),
      (
        #"break todos.items"#,
        #"""
        1 breakpoint todos.items
        note: no action of the log matches todos.items; to stop where the value changes: watch todos.items
        """#
      ),
      (
        #"list all"#,
        #"""
        error: list: all is not a range
        hint: all steps: ..
        """#
      ),
      (
        #"blame --help"#,
        #"""
        error: blame: no option --help
        hint: 'help blame' describes the command
        """#
      ),
      (
        #"diff good.jsonl"#,
        #"""
        error: diff: good.jsonl is not a position
        hint: to compare two recordings, in a shell: flux-inspect diff LOG good.jsonl
        """#
      ),
      (
        #"compare good.jsonl.gz"#,
        #"""
        error: compare: expected the number of a fork, found good.jsonl.gz
        hint: to compare two recordings, in a shell: flux-inspect diff LOG good.jsonl.gz
        """#
      ),
      (
        #"test todos.test.js"#,
        #"""
        error: test: todos.test.js is not a Swift file, and the test is in Swift
        hint: in another language, a log is the test: 'shrink EXPR', 'save LOG', and in CI flux-inspect verify LOG
        """#
      ),
      (
        #"find tog*"#,
        #"""
        no step matches
        note: did you mean */tog*?
        """#
      ),
      (
        #"goto toggle#1"#,
        #"""
        error: there is no toggle#1: the log has 0 such actions
        hint: did you mean todo/toggle?
        """#
      ),
      (
        #"find ada@example.org"#,
        #"""
        error: find: column 4: expected '&&', '||' or the end, found '@'
          ada@example.org
             ^
        hint: to look for a text: find "ada@example.org"
        """#
      ),
      (
        #"find "ada@example.org""#,
        #"""
        no step matches
        """#
      ),
      (
        #"find "green tea [1]""#,
        #"""
        no step matches
        """#
      ),
      (
        #"dispatch .add("milk")"#,
        #"""
        error: dispatch: the action is not JSON: byte 0: unexpected '.' (0x2E); not allowed at this place in a JSON value
        hint: an action is JSON, as in the log: dispatch {"type":"todo/toggle","payload":{"id":2}}
        """#
      ),
      (
        #"print items"#,
        #"""
        error: no path items at step 5; did you mean todos.items?
        """#
      ),
      (
        #"print todos.items[2].title"#,
        #"""
        error: no path todos.items[2].title at step 5
        hint: todos.items has 2 elements; the last is todos.items[1]
        """#
      ),
      (
        #"until todos.items[1].done == 'yes'"#,
        #"""
        nothing found; still at
        5 todo/toggle {"id":2} +3s
          changed: todos
        note: todos.items[1].done is true or false, and "yes" is a string; values of two types are never equal, nor is one less than the other
        """#
      ),
      (
        #"until todos.saving == 'yes'"#,
        #"""
        nothing found; still at
        5 todo/toggle {"id":2} +3s
          changed: todos
        note: todos.saving is neither at the start nor at the end of the log
        """#
      ),
      (
        #"until -r todos.items[0].done"#,
        #"""
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed
        note: todos.items[0].done alone is true if there is a value, even if that is false; for the value itself, write todos.items[0].done == true
        """#
      ),
      (
        #"break * if todos.items.count > 2"#,
        #"""
        1 breakpoint * if todos.items.count > 2
        note: todos.items.count is neither at the start nor at the end of the log; for the number of elements: length(todos.items)
        """#
      ),
      (
        #"until"#,
        #"""
        error: until: a glob, an expression or a text is missing
        hint: usage: until [-r] GLOB|EXPR|TEXT
        """#
      ),
    ] as [(String, String)])
  func mistakes(line: String, answer: String) throws {
    var inspection = try Inspection()
    _ = inspection.stops(["goto 5"])
    #expect(try inspection.text(line) == answer + (answer.hasSuffix("\n") ? "" : "\n"))
  }

  @Test("A list is suddenly empty: the step that emptied it, and what it held")
  func task1() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript(
        "end", "blame todos.items", "diff", "print $.before.todos.items[*].title") == """
          > end
          the end of the log
          8 todo/clear +10s
            changed: todos, search
          > blame todos.items
          8 todo/clear = []
          > diff
          from step 7 to step 8
          - /todos/items/0 (id 1): {"done":false,"id":1,"title":"milk"}
          - /todos/items/1 (id 2): {"done":true,"id":2,"title":"eggs"}
          - /search: {"query":"mi"}
          > print $.before.todos.items[*].title
          $.before.todos.items[0].title = "milk"
          $.before.todos.items[1].title = "eggs"

          """)
  }

  @Test("A search text appears by itself: the step that caused it, and all that it caused")
  func task2() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript(
        "until search.query == 'mi'", "where", "cause", "effects") == """
          > until search.query == 'mi'
          7 search/type "mi" +4.75s
            changed: search
            caused by step 6
          > where
          #0 7 search/type "mi" +4.75s
          #1 6 search/open +4.5s
          > cause
          6 search/open +4.5s
            changed: search
          > effects
          7 search/type "mi" +4.75s  search  caused by 6

          """)
  }
}
