import Counter
import Testing

@testable import FluxInspector

/// Questions that people have about a recording, each answered with at most four commands and without a wrong turn.
@Suite("Tasks")
struct TaskTests {
  /// Forty additions, of nothing but for three.
  private static let forty: [String] = {
    var count = 0
    let steps = (1...40).map { number in
      let amount = [7, 21, 33].contains(number) ? 10 : 0
      count += amount
      return
        #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"counter/add","payload":{"amount":\#(amount)}},"states":{"counter":{"count":\#(count)}}}"#
    }
    return [CounterRecording.header] + steps + [#"{"end":{"steps":40,"ok":true}}"#]
  }()

  @Test("Which of 40 actions matter?")
  func whichMatter() throws {
    var inspection = try Inspection(counter: Self.forty)
    #expect(
      try inspection.transcript("shrink counter.count >= 30", "print counter.count") == """
        > shrink counter.count >= 30
        the expression is first true at step 33
        3 of 33 actions left after 22 runs: 7, 21, 33
        fork 1 contains only these; none can be left out
        > print counter.count
        30

        """)
  }

  @Test("What did the user do in the two seconds before?")
  func twoSecondsBefore() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript(
        "until todos.items[1].done == true", "list @-2..+0", "find !$.cause in @-2..+0") == """
          > until todos.items[1].done == true
          5 todo/toggle {"id":2} +3s
            changed: todos
          > list @-2..+0
            2 todo/saved {"id":1} +1s  caused by 1
            3 todo/add {"title":"eggs"} +1.25s  todos
            4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
          > 5 todo/toggle {"id":2} +3s  todos
          > find !$.cause in @-2..+0
          3 todo/add {"title":"eggs"} +1.25s  todos
          4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
          5 todo/toggle {"id":2} +3s  todos

          """)
  }

  @Test("Is this state reachable without that action?")
  func reachableWithout() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript("redispatch .. --skip 2", "until -r counter.count == 7") == """
        > redispatch .. --skip 2
        1 counter/add {"amount":2} +1s  counter
        2 counter/add {"amount":-9} +3.5s  rejected: refused: below 0  repeats 4
        3 counter/add {"amount":3} +4s  counter  repeats 5
        4 counter/add {"amount":1} +5s  counter  repeats 6
        fork 1 first differs at step 2, which repeats step 4
        ~ /counter/count: 4 -> 2
        at the end, compared with step 6
        ~ /counter/count: 8 -> 6
        > until -r counter.count == 7
        nothing found; still at
        4 counter/add {"amount":1} +5s
          changed: counter

        """)
  }

  @Test("Which action made the list longer than it may be, and what was in it?")
  func firstTooLong() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript(
        "first length(todos.items) > 1", "action", "print todos.items[*].title")
          == """
          > first length(todos.items) > 1
          3 todo/add {"title":"eggs"} +1.25s
            changed: todos
          > action
          todo/add
          {
            "title": "eggs"
          }
          > print todos.items[*].title
          todos.items[0].title = "milk"
          todos.items[1].title = "eggs"

          """)
  }

  @Test("Was a title ever changed after its item was done?")
  func neverAfter() throws {
    var inspection = try Inspection()
    let question =
      "find changed(todos.items[1].title) && was(todos.items[1].done) == true && todos.items[1]"
    #expect(
      try inspection.transcript(question) == """
        > \(question)
        no step matches
        note: todos.items[1] is neither at the start nor at the end of the log

        """)
    #expect(try inspection.exitCode(question) == 1)
  }

  @Test("Which values did the query have, when, and what was refused meanwhile?")
  func valuesOfQuery() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript("values search.query", "find $.rejected") == """
        > values search.query
        6 search/open = ""
        7 search/type = "mi"
        8 todo/clear removed
        > find $.rejected
        4 todo/add {"title":""} +2s  rejected: invalid: a title is needed

        """)
  }

  @Test("What would have happened with another amount?")
  func whatIf() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    let line = #"redispatch .. --replace 1={"type":"counter/add","payload":{"amount":5}}"#
    #expect(
      try inspection.transcript(line, "compare 1") == """
        > \(line)
        1 counter/add {"amount":5} +1s  counter
        2 counter/double +2s
        3 counter/add {"amount":5} +2s  counter  caused by 2
        4 counter/add {"amount":-9} +3.5s  counter
        5 counter/add {"amount":3} +4s  counter
        6 counter/add {"amount":1} +5s  counter
        fork 1 first differs at step 1
        ~ /counter/count: 2 -> 5
        at the end, compared with step 6
        ~ /counter/count: 8 -> 5
        recorded step 4: counter/add was rejected, and is now accepted
          recorded: {"reason":"refused","message":"below 0","store":"counter"}
          replayed: nothing
        > compare 1
        fork 1 first differs at step 1
        ~ /counter/count: 2 -> 5
        at the end, compared with step 6
        ~ /counter/count: 8 -> 5
        recorded step 4: counter/add was rejected, and is now accepted
          recorded: {"reason":"refused","message":"below 0","store":"counter"}
          replayed: nothing

        """)
  }

  @Test("How does this bug become a test that stays?")
  func bugToTest() throws {
    let world = RecordedWorld()
    var services = world.services
    services.app = CounterApp()
    var inspection = try Inspection(Self.forty, services: services)
    #expect(
      try inspection.transcript(
        "until counter.count > 25", "test T.swift --because counter.count > 25") == """
          > until counter.count > 25
          33 counter/add {"amount":10} +33s
            changed: counter
          > test T.swift --because counter.count > 25
          a test of 3 actions written to T.swift
          it fails until the bug is fixed

          """)
    #expect(
      world.files["T.swift"]?.hasSuffix(
        #"""
            try session.dispatch(json: JSON.parse(#"{"type":"counter/add","payload":{"amount":10}}"#))
            #expect(try !session.holds("counter.count > 25"))
          }
        }

        """#) == true)
  }
}
