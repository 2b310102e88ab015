import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct ForkCommandTests {
  @Test(
    "A log by reflection is refused before an app is started or asked for",
    arguments: [
      ("Counter", "make Counter and its actions Codable, and record with start(states:)"),
      (
        "(count: Int)",
        "record a Codable type in place of a tuple, with Codable actions and start(states:)"
      ),
    ])
  func reflected(_ type: String, _ advice: String) throws {
    let lines = CounterRecording.lines.map {
      $0.replacing(#""type":"Counter","#, with: #""type":"\#(type)","reflected":true,"#)
    }
    let refusal = """
      error: the app cannot be replayed: reflection recorded the states of counter, which cannot be decoded; \
      \(advice)
      hint: everything that only reads the log works: step, find, diff, blame, history

      """
    var without = try Inspection(lines)
    var with = try Inspection(counter: lines)
    for line in ["fork 1", "redispatch ..", "shrink counter.count > 1", "verify", "test t.swift"] {
      #expect(try without.text(line) == refusal, "\(line)")
      #expect(try with.text(line) == refusal, "\(line)")
    }
  }

  @Test(
    "On a fork, a search without a match remarks on what is likely to be a mistake",
    arguments: [
      (
        "counter.count == 'x'",
        "counter.count is a number, and \"x\" is a string; values of two types are never equal, nor is one less than the other"
      ),
      (
        "counter.cuont > 1",
        "counter.cuont is neither at the start nor at the end of fork 1; did you mean counter.count?"
      ),
      ("counter/duble", "did you mean counter/double?"),
    ])
  func remarks(_ condition: String, _ note: String) throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    _ = inspection.stops(["goto 4"])
    _ = try inspection.transcript("fork", #"dispatch {"type":"counter/double"}"#, "back")
    #expect(try inspection.text("until \(condition)").hasSuffix("note: \(note)\n"))
  }

  @Test("On a fork, the commands that read the recording say so")
  func recording() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    _ = inspection.stops(["goto 4"])
    _ = try inspection.transcript("fork", #"dispatch {"type":"counter/double"}"#)
    let commands = [
      "list 1..1", "find counter/double", "count counter/double", "blame counter.count",
      "history counter.count", "effects", "diff 1",
    ]
    for command in commands {
      let name = command.prefix { $0 != " " }
      let note =
        "note: \(name) reads the recording, which fork 1 left after step 4; list alone lists the fork\n"
      #expect(try inspection.text(command).hasSuffix(note), "\(command)")
    }
    #expect(
      try inspection.text("list") == """
        fork 1 after step 4, 2 steps
          5 counter/double +3.5s
        > 6 counter/add {"amount":4} +3.5s  counter  caused by 5

        """)
    #expect(
      try inspection.json("list").contains(
        #""result":{"fork":1,"at":4,"steps":[{"n":5,"t":3.5,"type":"counter/double""#))
    _ = try inspection.text("back")
    #expect(
      try inspection.text("list") == """
        fork 1 after step 4, 2 steps
        > 5 counter/double +3.5s
          6 counter/add {"amount":4} +3.5s  counter  caused by 5

        """)
    _ = try inspection.text("step")
    // The commands of the session are those of no recording.
    #expect(try !inspection.text("history").contains("note:"))
    _ = try inspection.text("switch 0")
    for command in commands {
      #expect(try !inspection.text(command).contains("note:"), "\(command)")
    }
  }

  @Test("A fork runs what is dispatched on it, and the commands that look here look at it")
  func fork() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "goto 3", "fork", "diff", "action",
        #"dispatch {"type":"counter/double"}"#, "state", "print counter.count", "diff", "action",
        #"dispatch --to counter {"type":"counter/add","payload":{"amount":-90}}"#, "forks",
        "print $.rejected.reason", "state cuonter", "diff --store cuonter",
        "print counter.cuont") == """
          > goto 3
          3 counter/add {"amount":2} +2s
            changed: counter
            caused by step 2
          > fork
          fork 1 after step 3, 0 steps
          > diff
          error: fork 1 has no step yet
          hint: 'dispatch' makes one
          > action
          error: fork 1 has no step yet
          hint: 'dispatch' makes one
          > dispatch {"type":"counter/double"}
          fork 1
          4 counter/double +2s
          5 counter/add {"amount":4} +2s  counter  caused by 4
          ~ /counter/count: 4 -> 8
          > state
          {
            "counter": {
              "count": 8
            }
          }
          > print counter.count
          8
          > diff
          from step 4 to step 5
          ~ /counter/count: 4 -> 8
          > action
          counter/add
          {
            "amount": 4
          }
          target: counter
          cause: step 4
          > dispatch --to counter {"type":"counter/add","payload":{"amount":-90}}
          fork 1
          6 counter/add {"amount":-90} +2s  rejected: refused: below 0
          > forks
          * fork 1 after step 3, 3 steps
          > print $.rejected.reason
          "refused"
          > state cuonter
          error: no store cuonter; did you mean counter?
          hint: the stores are counter
          > diff --store cuonter
          error: no store cuonter; did you mean counter?
          hint: the stores are counter
          > print counter.cuont
          error: no path counter.cuont on fork 1; did you mean counter.count?

          """)
  }

  @Test(
    "On a fork, questions about the recording begin at the step that the fork left or repeats, not where the session was before"
  )
  func here() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    let dispatch = #"dispatch {"type":"counter/double"}"#
    _ = inspection.stops(["goto 3", dispatch, "goto 1", "switch 1"])
    #expect(try inspection.text("blame counter.count").hasPrefix("3 counter/add = 4\n"))
    #expect(try inspection.text("diff 2").hasPrefix("from step 2 to step 3\n"))
    #expect(try inspection.text("bookmark left") == "$left 3 counter/add\n")
    #expect(try inspection.text("fork") == "fork 2 after step 3, 0 steps\n")
    #expect(inspection.stops(["+1", "switch 1", "-1", "switch 1", "@-0"]) == [4, 4, 2, 2, 3])
    _ = inspection.stops(["goto 1", "redispatch 2..5"])
    #expect(try inspection.text("bookmark repeated") == "$repeated 5 counter/add\n")
    #expect(inspection.stops([dispatch, "+1"]) == [1, 6])
  }

  @Test("Playing leaves the fork, from the step that it left")
  func play() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(counter: CounterRecording.lines)
    inspection.console.emit = world.emit
    _ = inspection.stops(["goto 3", #"dispatch {"type":"counter/double"}"#, "goto 1", "switch 1"])
    #expect(inspection.stops(["play 1000"]) == [6])
    #expect(world.emitted == [4, 5])
  }

  @Test("Browsing leaves the fork, because the screen shows the recording")
  func browse() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    inspection.console.browser = RecordedWorld()
    _ = inspection.stops(["goto 3", #"dispatch {"type":"counter/double"}"#, "goto 1", "switch 1"])
    #expect(
      try inspection.text("browse") == """
        6 counter/add {"amount":1} +5s
          changed: counter
        note: left fork 1; 'switch 1' goes back to it

        """)
    #expect(inspection.stops(["undo", "undo", "undo"]) == [5, 3, 1])
  }

  @Test("The same for programs")
  func json() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.results(
        "fork 3", #"dispatch {"type":"counter/double"}"#, "state", "print counter.count", "diff",
        "action", #"dispatch --to counter {"type":"counter/add","payload":{"amount":-90}}"#, "fork",
        "forks", "switch 1", "drop 2", "switch 0", "forks") == #"""
          {"command":"fork 3","ok":true,"position":0,"result":{"fork":1,"at":3,"steps":0}}
          {"command":"dispatch {\"type\":\"counter/double\"}","ok":true,"position":0,"result":{"fork":1,"steps":[{"n":4,"t":2,"type":"counter/double","changed":[]},{"n":5,"t":2,"type":"counter/add","changed":["counter"],"cause":4}],"changes":[{"path":"/counter/count","op":"replace","old":4,"new":8}]}}
          {"command":"state","ok":true,"position":0,"result":{"value":{"counter":{"count":8}}}}
          {"command":"print counter.count","ok":true,"position":0,"result":{"nodes":[{"path":"/counter/count","value":8}]}}
          {"command":"diff","ok":true,"position":0,"result":{"from":4,"to":5,"changes":[{"path":"/counter/count","op":"replace","old":4,"new":8}]}}
          {"command":"action","ok":true,"position":0,"result":{"action":{"type":"counter/add","payload":{"amount":4}},"target":"counter","cause":4}}
          {"command":"dispatch --to counter {\"type\":\"counter/add\",\"payload\":{\"amount\":-90}}","ok":true,"position":0,"result":{"fork":1,"steps":[{"n":6,"t":2,"type":"counter/add","changed":[],"rejected":{"reason":"refused","message":"below 0","store":"counter"}}],"changes":[],"rejected":{"reason":"refused","message":"below 0","store":"counter"}}}
          {"command":"fork","ok":true,"position":0,"result":{"fork":2,"at":3,"steps":0}}
          {"command":"forks","ok":true,"position":0,"result":{"forks":[{"fork":1,"at":3,"steps":3},{"fork":2,"at":3,"steps":0}],"current":2}}
          {"command":"switch 1","ok":true,"position":0,"result":{"fork":1,"at":3,"steps":3}}
          {"command":"drop 2","ok":true,"position":0,"result":{"fork":2,"at":3,"steps":0}}
          {"command":"switch 0","ok":true,"position":0,"result":{"step":0,"changed":[],"stopped":"goto"}}
          {"command":"forks","ok":true,"position":0,"result":{"forks":[{"fork":1,"at":3,"steps":3}]}}

          """#)
  }

  @Test("Dispatching begins a fork where there is none, and leaves none behind where it fails")
  func dispatch() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        #"dispatch {"type":"counter/add"}"#, "forks",
        #"dispatch {"type":"counter/add","payload":{"amount":5}}"#, "forks",
        #"dispatch {"type":"counter/add"}"#, "forks", "dispatch", "dispatch 7",
        #"dispatch {"type""#) == """
          > dispatch {"type":"counter/add"}
          error: at counter/add: the app cannot decode the action: no amount
          > forks
          no forks
          > dispatch {"type":"counter/add","payload":{"amount":5}}
          fork 1
          1 counter/add {"amount":5} +0s  counter
          ~ /counter/count: 0 -> 5
          > forks
          * fork 1 after step 0, 1 step
          > dispatch {"type":"counter/add"}
          error: at counter/add: the app cannot decode the action: no amount
          > forks
          * fork 1 after step 0, 1 step
          > dispatch
          error: dispatch: an action is missing
          hint: usage: dispatch [--to STORE] JSON
          > dispatch 7
          error: dispatch: an action is an object with a type: {"type":"todo/add"}
          hint: usage: dispatch [--to STORE] JSON
          > dispatch {"type"
          error: dispatch: the action is not JSON: byte 7: the text ends inside a JSON value; it was probably cut off
          hint: an action is JSON, as in the log: dispatch {"type":"counter/add","payload":{"amount":2}}

          """)
    #expect(try inspection.exitCode(#"dispatch {"type":"counter/add"}"#) == 3)
    #expect(try inspection.exitCode("dispatch []") == 2)
  }

  @Test("A jump leads back to the recording, and forks stay until they are dropped")
  func moves() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "fork end", "goto 2", "fork", "goto +1", "switch 2", "state", "switch 1", "state", "drop 1",
        "drop 1", "state", "forks", "switch 7", "switch x", "switch", "drop", "compare") == """
          > fork end
          fork 1 after step 6, 0 steps
          > goto 2
          2 counter/double +2s
            changed: nothing
          note: left fork 1; 'switch 1' goes back to it
          > fork
          fork 2 after step 2, 0 steps
          > goto +1
          3 counter/add {"amount":2} +2s
            changed: counter
            caused by step 2
          note: left fork 2; 'switch 2' goes back to it
          > switch 2
          fork 2 after step 2, 0 steps
          > state
          {
            "counter": {
              "count": 2
            }
          }
          > switch 1
          fork 1 after step 6, 0 steps
          > state
          {
            "counter": {
              "count": 8
            }
          }
          > drop 1
          fork 1 after step 6, 0 steps: dropped
          > drop 1
          error: no fork 1
          hint: the forks are 2
          > state
          {
            "counter": {
              "count": 4
            }
          }
          > forks
            fork 2 after step 2, 0 steps
          > switch 7
          error: no fork 7
          hint: the forks are 2
          > switch x
          error: switch: expected the number of a fork, found x
          hint: usage: switch N
          > switch
          error: switch: the number of a fork is missing
          hint: usage: switch N
          > drop
          error: drop: the number of a fork is missing
          hint: usage: drop N
          > compare
          error: this is the recording, not a fork
          hint: 'forks' lists them, 'switch N' goes to one

          """)
    #expect(inspection.session.currentFork == nil)
    #expect(try inspection.exitCode("switch 2") == 0)
    #expect(
      inspection.session.currentFork
        == ForkSummary(number: 2, base: StepNumber(2), stepCount: 0))
  }

  @Test("On a fork, steps and searches for stops lead over its steps, and reads show the one here")
  func steps() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "goto 3", #"dispatch {"type":"counter/double"}"#, "cause", "back", "back",
        "watch counter.count", "continue", "continue", "where", "until -r $.type == 'x'", "back",
        "state", #"dispatch {"type":"counter/add","payload":{"amount":1}}"#, "forks", "switch 1",
        "prev 2", "next", "until counter.count > 4", "diff", "goto 2") == """
          > goto 3
          3 counter/add {"amount":2} +2s
            changed: counter
            caused by step 2
          > dispatch {"type":"counter/double"}
          fork 1
          4 counter/double +2s
          5 counter/add {"amount":4} +2s  counter  caused by 4
          ~ /counter/count: 4 -> 8
          > cause
          4 counter/double +2s
            changed: nothing
          > back
          3 the start of fork 1
          > back
          3 the start of fork 1
          note: stopped at the start of fork 1, after 0 of 1 steps
          > watch counter.count
          1 watchpoint counter.count
          > continue
          watchpoint 1: counter.count
            old: 4
            new: 8
          5 counter/add {"amount":4} +2s
            changed: counter
            caused by step 4
          > continue
          the end of fork 1
          5 counter/add {"amount":4} +2s
            changed: counter
            caused by step 4
          > where
          #0 5 counter/add {"amount":4} +2s
          #1 4 counter/double +2s
          > until -r $.type == 'x'
          nothing found; still at
          5 counter/add {"amount":4} +2s
            changed: counter
            caused by step 4
          note: $.type is neither at the start nor at the end of fork 1; the action of the step is $.action: print $.action.type
          > back
          4 counter/double +2s
            changed: nothing
          > state
          {
            "counter": {
              "count": 4
            }
          }
          > dispatch {"type":"counter/add","payload":{"amount":1}}
          fork 2
          5 counter/add {"amount":1} +2s  counter
          ~ /counter/count: 4 -> 5
          > forks
            fork 1 after step 3, 2 steps
          * fork 2 after step 3, 1 step
          > switch 1
          fork 1 after step 3, 2 steps
          > prev 2
          3 the start of fork 1
          note: stopped at the start of fork 1, after 1 of 2 root actions
          > next
          4 counter/double +2s
            changed: nothing
          > until counter.count > 4
          5 counter/add {"amount":4} +2s
            changed: counter
            caused by step 4
          > diff
          from step 4 to step 5
          ~ /counter/count: 4 -> 8
          > goto 2
          2 counter/double +2s
            changed: nothing
          note: left fork 1; 'switch 1' goes back to it

          """)
    var programs = try Inspection(counter: CounterRecording.lines)
    #expect(
      try programs.results("fork 3", #"dispatch {"type":"counter/double"}"#, "back", "back")
        .hasSuffix(
          #"""
          {"command":"back","ok":true,"position":0,"result":{"step":4,"fork":1,"t":2,"action":{"type":"counter/double"},"changed":[],"stopped":"step"}}
          {"command":"back","ok":true,"position":0,"result":{"step":3,"fork":1,"changed":[],"stopped":"step"}}

          """#))
  }

  @Test("Without an app each command says how to get one, and a batch exits with 5")
  func noApp() throws {
    var inspection = try Inspection(CounterRecording.lines)
    #expect(inspection.stops(["goto 3"]) == [3])
    for line in [
      "verify", "fork", #"dispatch {"type":"counter/double"}"#, "redispatch ..",
      "shrink counter.count > 3",
    ] {
      #expect(
        try inspection.text(line) == """
          error: this replays actions, which needs the app
          hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself

          """)
      #expect(try inspection.exitCode(line) == 5, "\(line)")
    }
    #expect(
      try inspection.json("fork") == """
        {"command":"fork","ok":false,"position":3,"error":{"code":"no-app","message":"this replays actions, which needs the app","hint":"start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself"}}

        """)
  }
}
