import FluxExchange
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension Tool {
  static let verify = Tool(
    "verify", "Verify a recording",
    about: """
      Dispatches the recorded actions in fresh stores of the app, and compares each step. Answers with the first \
      divergence, its values, causes and likely reason. Use it to see whether the app still does what it did, and after a \
      fix. Runs the app's code.
      """,
    example: ["log": "shop.jsonl"], access: .replays
  ) { (arguments: VerifyArguments, context, extras) in
    var entries = [arguments.log].compactMap(\.self).map {
      (name: $0, entry: LogLibrary.Entry?.none)
    }
    guard (arguments.log == nil) != (arguments.folder == nil) else {
      throw ToolFailure("name either a log or a folder; an empty folder stands for all logs")
    }
    if let folder = arguments.folder {
      entries = try context.library.entries(in: folder, for: context.call).map { ($0.name, $0) }
    }
    let start = min(try context.cursors.index(arguments.cursor) ?? 0, entries.count)
    var page = Page(room: context.call.frame.room)
    for (index, log) in entries.enumerated().dropFirst(start) {
      let row: JSON
      do {
        if !page.rows.isEmpty, context.call.isLate { throw TimeOut() }
        row = try verified(log.name, log.entry, isAlone: arguments.folder == nil, context)
      } catch is TimeOut where arguments.folder != nil {
        extras.notes.append("the time of the call is over; these are the logs so far")
        var next = index
        // Each call makes progress.
        if page.rows.isEmpty,
          page.append(failed(log.name, "not verified in time; verify it alone, as log"))
        {
          next += 1
        }
        if next < entries.count { extras.cursor = context.cursors.text(next) }
        break
      }
      guard page.append(row) else {
        extras.cursor = context.cursors.text(index)
        break
      }
    }
    return VerificationAnswer(reports: page.rows)
  }

  /// The report of a log; a log that cannot be run is a row of a folder, and an error if it is alone.
  private static func verified(
    _ name: String, _ entry: LogLibrary.Entry?, isAlone: Bool, _ context: ToolContext
  ) throws -> JSON {
    var members: JSONMembers = []
    do {
      let log =
        try entry.map { try context.library.open($0, for: context.call) } ?? context.open(name)
      let report = try context.replay(log) { try $0.verify().report }
      context.library.keep(verdict: report.verdict.rawValue, of: log)
      members.append(("log", JSON(stringLiteral: log.name)))
      members += try context.verbatim(report).json.members.map { member in
        guard member.name == "divergences" else { return (member.name, member.value) }
        // The steps to take next are commands of a prompt.
        return (
          member.name,
          JSON(
            array: member.value.elements.map { divergence in
              JSON(
                object: divergence.members.filter { $0.name != "next" }.map { ($0.name, $0.value) })
            })
        )
      }
    } catch let failure as ToolFailure where !isAlone {
      return failed(name, failure.message)
    }
    return JSON(object: members)
  }

  /// The row of a log that was not verified.
  private static func failed(_ name: String, _ problem: String) -> JSON {
    JSON(object: [
      ("log", JSON(stringLiteral: name)), ("verdict", "failed"),
      ("problem", JSON(stringLiteral: problem)),
    ])
  }

  static let whatIf = Tool(
    "what_if", "Replay without or with other actions",
    about: """
      Dispatches recorded steps again in fresh stores, skipping some (skip) or replacing their actions (replace), \
      and compares the result with the recording. then is an expression that should hold at the end. Makes a fork, \
      which the reading tools take as fork. Use it to prove which action is to blame. Runs the app's code.
      """,
    example: [
      "log": "shop.jsonl", "from": 17, "to": 18, "skip": [17], "then": "length(cart.lines) > 1",
    ], access: .replays
  ) { (arguments: WhatIfArguments, context, extras) in
    let then = try arguments.then.map { try context.expression($0) }
    var replacements: [UInt64: JSON] = [:]
    for (key, action) in arguments.replace ?? [:] {
      guard let number = UInt64(key) else {
        throw ToolFailure(
          "replace: \(key.shownInError) is not a step number; expected {\"17\": {\"type\": …}}")
      }
      replacements[number] = action.json
    }
    return try context.replay(context.open(arguments.log)) { session in
      func step(_ number: Int64) throws -> Position {
        let position = try context.position(number, session, &extras)
        guard position >= 0, let number = session.timeline.number(at: position) else {
          throw ToolFailure(
            "step \(number) is the state at the start; the first step to dispatch is later")
        }
        return .step(number)
      }
      let range = PositionRange(
        from: try step(arguments.from), through: try arguments.to.map(step) ?? .end)
      let again = try session.redispatch(
        range, skipping: Set(arguments.skip ?? []), replacing: replacements,
        droppingOrphans: arguments.keepOrphans != true)
      // The session stands on the fork.
      let holds = try then.map { try session.value(of: $0).value.bool ?? false }
      if let then, holds == false {
        extras.notes += try session.doubts(about: then).map(\.toolText)
      }
      let difference = again.difference
      return WhatIfAnswer(
        fork: difference.fork, same: difference.isSame,
        first: try difference.first.map(context.verbatim),
        recorded: difference.recorded,
        changes: try difference.changes.map(context.verbatim),
        orphans: again.orphans, holds: holds)
    }
  }

  static let shrink = Tool(
    "shrink", "Find the actions that suffice",
    about: """
      Leaves out recorded actions up to step n until each of the rest is needed to make an expression hold. Use it to get a \
      short way to a bug. Runs the app's code, many times.
      """,
    example: ["log": "shop.jsonl", "expression": "length(cart.lines) == 2", "n": 16],
    access: .replays
  ) { (arguments: ShrinkArguments, context, extras) in
    let expression = try context.expression(arguments.expression)
    return try context.replay(context.open(arguments.log)) { session in
      session.stand(at: try context.position(orEnd: arguments.n, session, &extras))
      let shrunk = try session.shrink(to: expression)
      extras.notes += shrunk.notes.map(\.toolText)
      if shrunk.fork == nil {
        extras.notes.append(
          "the expression does not hold after the actions are dispatched again; find shows where it holds"
        )
      }
      return ShrinkAnswer(result: try context.verbatim(shrunk))
    }
  }

  static let writeTest = Tool(
    "write_test", "Write a test",
    about: """
      The source of a Swift test that dispatches the actions up to a step in fresh stores, and expects what the step \
      changed, or the value of expect. Answers with a text; put it into a file of the test target yourself. A long one has \
      parts, each with the cursor of the next. If the server has an app, the actions are typed, and the app's code runs \
      to try the test; otherwise the actions are JSON.
      """,
    example: [
      "log": "shop.jsonl", "n": 17, "because": "an expired session must not empty the cart",
    ], access: .mayReplay
  ) { (arguments: WriteTestArguments, context, extras) in
    let expected = try arguments.expect.map { try context.query($0) }
    if let module = arguments.module {
      guard
        module.unicodeScalars.allSatisfy({
          $0 == "_" || $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }),
        module.unicodeScalars.first?.properties.isAlphabetic == true
      else { throw ToolFailure("module: \(module.shownInError) is not the name of a Swift module") }
    }
    if arguments.cursor != nil, let test = context.library.test(of: context.cursors) {
      return WriteTestAnswer(
        actions: test.actions,
        source: try context.page(test.source, from: arguments.cursor, &extras))
    }
    return try context.replay(context.open(arguments.log), fork: arguments.fork) { session in
      session.stand(at: try context.position(arguments.n, session, &extras))
      let test: TestText
      do {
        var request = TestRequest()
        request.expected = expected
        request.smallest = arguments.smallest ?? false
        request.module = arguments.module
        request.comment = arguments.because
        test = try session.testSource(request)
      } catch is TestText.NoModule {
        throw ToolFailure(
          "the log does not name the app, so module has to name the module that declares the stores"
        )
      }
      context.library.keep(test: test, of: context.cursors)
      extras.notes += test.notes.map(\.toolText)
      let used = extras.notes.reduce(0) { $0 + $1.utf8.count }
      return WriteTestAnswer(
        actions: test.actions,
        source: try context.page(test.source, from: arguments.cursor, used: used, &extras))
    }
  }
}

private struct VerifyArguments: Described {
  let log: String?
  let folder: String?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": "The name of a log, as recordings lists it",
    "folder": "In its place, a folder of logs; empty for all logs",
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct VerificationAnswer: Described {
  let reports: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "reports":
      "{log, verdict, steps, divergences: [{step, kind, store?, path?, recorded?, replayed?, chain, reason?}], notes?}: "
      + "a verdict is passed, diverged, incompatible, damaged, empty or failed"
  ]
}

private struct WhatIfArguments: Described {
  let log: String
  let from: Int64
  let to: Int64?
  let skip: [UInt64]?
  let replace: [String: VerbatimJSON]?
  let keepOrphans: Bool?
  let then: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "from": "The first step to dispatch again; the fork begins in the state before it",
    "to": "The last step; without it, the last of the log",
    "skip": "The numbers of the steps to leave out",
    "replace":
      "Other actions by the numbers of their steps: {\"17\": {\"type\": \"cart/add\", \"payload\": {…}}}",
    "keepOrphans": "true to dispatch the steps whose causes did not happen on the fork, too",
    "then": "An expression that should hold at the end of the fork",
  ]
}

private struct WhatIfAnswer: Described {
  let fork: Int
  let same: Bool
  let first: VerbatimJSON?
  let recorded: UInt64
  let changes: [VerbatimJSON]
  let orphans: [UInt64]?
  let holds: Bool?

  static let about: KeyValuePairs = [
    "fork": "The number of the fork, for the reading tools",
    "same": "true if every step led to the recorded states",
    "first":
      "{step, recorded, changes}: the first step of the fork that leads to other states, and the step it repeats",
    "recorded": "The recorded step that the fork's end is compared with: the last one of the range",
    "changes":
      "{path, op, old?, new?}: from the recorded states after that step to those at the end of the fork",
    "orphans":
      "The recorded steps whose causes did not happen on the fork; they are left out unless keepOrphans is true",
    "holds": "Whether then holds",
  ]
}

private struct ShrinkArguments: Described {
  let log: String
  let expression: String
  let n: Int64?

  static let about: KeyValuePairs = [
    "log": LogArgument.about, "expression": "The expression that has to hold after the actions",
    "n": "The last step whose action may be needed; without it, the last of the log",
  ]
}

private struct ShrinkAnswer: Described {
  let result: VerbatimJSON

  static let about: KeyValuePairs = [
    "result":
      "{kept, of, runs, minimal?, rejected?, fork?}: the steps whose actions suffice, of how many"
  ]
}

private struct WriteTestArguments: Described {
  let log: String
  let n: Int64
  let because: String?
  let expect: String?
  let smallest: Bool?
  let module: String?
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about, "n": "The step whose changes the test expects",
    "because": "A sentence that the test begins with, as a comment",
    "expect": "A path or an expression whose value to expect instead",
    "smallest": "true to leave out all actions that are not needed",
    "module": "The module that declares the stores; the app's name without it",
    "fork": LogArgument.aboutFork,
    "cursor": "The cursor of an earlier answer, for the next part of the source",
  ]
}

private struct WriteTestAnswer: Described {
  let actions: Int
  let source: String

  static let about: KeyValuePairs = [
    "actions": "The number of actions that the test dispatches",
    "source": "The Swift source, or a part of it; the parts together are the source",
  ]
}
