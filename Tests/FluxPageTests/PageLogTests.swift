import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct PageLogTests {
  @Test("rows are the start, and each step, gap, damage and mark in the order of the file")
  func rows() throws {
    let gaps = try PageFixture.log("todomvc-gaps.jsonl").ask("steps")
    #expect(
      gaps["rows"]?.elements.map(\.rowText) == [
        "0 start 0", "1 step 1 todo/load", "2 step 2 todo/loaded", "3 step 3 todo/add",
        "4 step 4 todo/saved", "5 step 5 todo/add", "6 step 6 todo/saved",
        "7 gap steps 7 to 10 are not in the log: paused", "8 step 11 todo/add",
        "9 step 12 todo/saved", "10 step 13 todo/toggle", "11 step 14 todo/saved",
        "12 gap steps 15 to 16 are not in the log: paused", "13 step 17 todo/undo",
        "14 step 18 todo/saved",
      ])
    let damaged = try PageFixture.log("todomvc-damaged.jsonl").ask(
      "steps", #"{"from":6,"count":8}"#)
    #expect(
      damaged["rows"]?.elements.map(\.rowText) == [
        "6 step 6 todo/saved", "7 mark shopping list complete", "8 step 7 todo/add",
        "9 step 8 todo/saved", "10 step 9 todo/toggle", "11 damage line 12 is damaged",
        "12 step 11 todo/rename", "13 step 12 todo/saved",
      ])
    #expect(damaged["total"]?.text == "52")
  }

  @Test("the rows of a log lead to its steps and back", arguments: PageFixture.names)
  func rowMap(_ name: String) throws {
    let log = try PageFixture.log(name)
    let rows = log.rows()
    var steps: [Int] = []
    for number in 0..<rows.count {
      let row = try #require(rows[number])
      #expect(rows.stepCount(before: number) == steps.count, "row \(number)")
      guard case .step(let position) = row else { continue }
      #expect(rows.row(ofStep: position) == number)
      steps.append(position)
    }
    #expect(steps == Array(0..<log.log.count))
    #expect(rows[rows.count] == nil)
    #expect(rows[-1] == nil)
    #expect(
      rows.count - 1 - steps.count
        == rows.extraRows(in: 0..<rows.count).count)
  }

  @Test("the states of each row are those of the timeline", arguments: PageFixture.names)
  func states(_ name: String) throws {
    let log = try PageFixture.log(name)
    let rows = log.rows()
    // Of long recordings, every tenth row or so is enough.
    for number in stride(from: 0, to: rows.count, by: max(1, rows.count / 200)) {
      let position = try #require(rows[number]).position
      let answer = try log.ask("tree", "{\"place\":\(number),\"count\":500}")
      let stores = try #require(answer["rows"]?.elements.map { $0 })
      let model = try log.timeline.model(at: position)
      #expect(stores.count == log.log.storeNames.count)
      for store in stores {
        let name = try #require(store["key"]?.string)
        let kind = try #require(store["kind"]?.string)
        switch model.states[name] {
        case .present(let state)?:
          let path = try #require(store["path"]?.text)
          let copied = try log.ask("value", "{\"place\":\(number),\"path\":\(path)}")
          #expect(copied["text"]?.string == state.text, "row \(number)")
        case .unknown?: #expect(["unknown", "unwritten"].contains(kind), "row \(number)")
        case .absent?, nil: #expect(kind == "absent", "row \(number)")
        }
      }
    }
  }

  @Test("a row that is no step names the step whose states it shows")
  func after() throws {
    let log = try PageFixture.log("shop.jsonl")
    let mark = try log.ask("step", #"{"row":11}"#)
    #expect(mark["kind"] == "mark")
    #expect(mark["after"] == 10)
    #expect(try log.ask("step", #"{"row":12}"#)["after"] == nil)
  }

  @Test("the changes of each step are those of the session", arguments: PageFixture.names)
  func differences(_ name: String) throws {
    let log = try PageFixture.log(name)
    for position in 0..<log.log.count {
      let row = log.rows().row(ofStep: position)
      var session = Session(log.timeline)
      session.stand(at: position)
      guard let expected = try? session.difference() else {
        #expect(throws: PageError.self) { try log.ask("difference", "{\"b\":\(row)}") }
        continue
      }
      let answer = try log.ask("difference", "{\"b\":\(row),\"count\":500}")
      let changes = try #require(answer["changes"]?.elements.map { $0 })
      #expect(changes.map { $0["path"]?.string } == expected.lines.map(\.path.description))
      for (change, line) in zip(changes, expected.lines) {
        guard case .value(let wanted, _) = line else { continue }
        #expect(change["op"]?.string == wanted.kind.rawValue)
        if wanted.new?.text.utf8.count ?? 0 < 4000 {
          #expect(change["new"]?.text == wanted.new?.text)
        }
      }
    }
  }

  @Test("elements are shown by their identity, at the index that they had or have")
  func elements() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      {"flux":"1.0","stores":{"a":{"initial":["a","b","c","d","e","f"]},"b":{"initial":[{"id":1},{"id":2},{"id":3}]},"c":{"initial":[{"id":1},{"id":2}]}}}
      {"n":1,"t":0,"action":{"type":"a"},"states":{"a":["b","c","d","f"],"b":[{"id":2},{"id":1,"n":1},{"id":4}],"c":[{"id":2},{"id":1}]}}

      """#, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    let changes = try log.ask("step", #"{"row":1,"changes":9}"#)["difference"]?["changes"]
    #expect(
      changes?.elements.map(\.text) == [
        #"{"path":"/a/0","op":"remove","old":"a"}"#,
        #"{"path":"/a/4","op":"remove","old":"e"}"#,
        #"{"path":"/b/0","op":"move","identity":"id 2","from":1}"#,
        #"{"path":"/b/1/n","op":"add","identity":"id 1","new":1}"#,
        #"{"path":"/b/2","op":"add","identity":"id 4","new":{"id":4}}"#,
        #"{"path":"/b/2","op":"remove","identity":"id 3","old":{"id":3}}"#,
        #"{"path":"/c/0","op":"swap","identity":"id 2","with":1,"withIdentity":"id 1"}"#,
      ])
  }

  @Test("changed paths are marked, with the names that are gone")
  func marks() throws {
    let log = try PageFixture.log("shop.jsonl")
    let answer = try log.ask("tree", #"{"place":18,"open":["/cart"],"count":500}"#)
    let marked = answer.elements("rows").compactMap { row -> String? in
      guard let change = row["changed"]?.string else { return nil }
      return "\(row["path"]?.string ?? "") \(change) \(row["removed"]?.text ?? "")"
    }
    #expect(
      marked == [
        "/cart inside ", "/cart/lines inside ", "/cart/total replaced ",
        "/session inside [\"token\",\"user\"]",
      ])
  }

  // MARK: Searches

  @Test(
    "a search that is continued finds what the timeline finds",
    arguments: [
      "*", "cart/*", "checkout/pay", "nothing", "cart.total > 1000", "changed(cart.total)",
    ])
  func find(_ filter: String) throws {
    let log = try PageFixture.log("shop.jsonl")
    let text = JSON(stringLiteral: filter).text
    let expected = try log.timeline.find(try StepFilter(filter)).positions
    let rows = log.rows()
    let wanted = expected.map { Int64(rows.row(ofStep: $0)) }
    for direction in ["forwards", "backwards"] {
      let answers = try log.askAll(
        "find", "\"filter\":\(text),\"direction\":\"\(direction)\",\"limit\":2")
      let found = answers.flatMap { $0.elements("rows") }.compactMap { $0["row"]?.number?.int64 }
      #expect(found == (direction == "forwards" ? wanted : wanted.reversed()))
    }
    let count = try log.askAll("find", "\"filter\":\(text),\"count\":true")
    #expect(count.compactMap { $0["matches"]?.number?.int64 }.reduce(0, +) == Int64(expected.count))
  }

  @Test(
    "the writes of a value are those of the timeline, however often the search is interrupted",
    arguments: [
      ("shop.jsonl", "cart.total"), ("shop.jsonl", "cart.lines[0]"), ("shop.jsonl", "nothing"),
      ("todomvc.jsonl", "todos.items"), ("todomvc-gaps.jsonl", "todos.items"),
      ("todomvc-damaged.jsonl", "todos.items[0].done"), ("todomvc-unwritten.jsonl", "todos.items"),
    ])
  func writes(_ name: String, _ path: String) throws {
    let log = try PageFixture.log(name)
    let rows = log.rows()
    let parsed = try Path(path, dialect: .inspector)
    for direction in [SearchDirection.forwards, .backwards] {
      var expected: [String] = []
      try log.timeline.forEachWrite(of: .path(parsed), direction) { write in
        expected.append(
          "\(rows.row(ofStep: write.position)) \(write.value?.excerpt(60) ?? "-") \(write.afterGap)"
        )
        return true
      }
      let word = direction == .forwards ? "forwards" : "backwards"
      // Without a row, a search forwards begins with the value at the start.
      let start = direction == .forwards ? "null" : "\(rows.row(ofStep: log.timeline.end))"
      let request =
        "\"path\":\"\(path)\",\"row\":\(start),\"direction\":\"\(word)\",\"limit\":1"
      let answers = try log.askAll("writes", request)
      let found = answers.flatMap { $0.elements("writes") }.map { write in
        // A value that is cut is longer than 60 characters.
        let cut = write["valueCut"]?["preview"]?.string.map { preview in
          String(String.UnicodeScalarView(preview.unicodeScalars.prefix(60))) + "…"
        }
        let value = write["value"]?.excerpt(60) ?? cut ?? "-"
        return "\(write["row"]?.text ?? "") \(value) \(write["afterGap"]?.bool ?? false)"
      }
      #expect(found == expected, "\(word)")
    }
  }

  @Test("the search in a tree finds keys and values with the containers around them")
  func treeSearch() throws {
    let log = try PageFixture.log("shop.jsonl")
    let answer = try log.ask("tree", #"{"place":9,"search":"TEA","count":500}"#)
    let rows = answer.elements("rows").map { row in
      (row["path"]?.string ?? "") + (row["match"] == nil ? "" : " *")
    }
    #expect(
      rows == [
        "/cart", "/cart/lines", "/cart/lines/0", "/cart/lines/0/id *", "/catalogue",
        "/catalogue/products", "/catalogue/products/0", "/catalogue/products/0/id *",
        "/catalogue/products/0/name *",
      ])
  }

  @Test("a search opens the containers in which something matches, and its first change is a match")
  func treeSearchState() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"flux":"1.0","stores":{"tea":{"initial":{"x":1}},"pot":{"initial":{"x":1}}}}
      {"n":1,"t":0,"action":{"type":"a"},"states":{"tea":{"x":2},"pot":{"x":2,"tea":[1]}}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    let answer = try log.ask("tree", #"{"place":1,"search":"tea"}"#)
    let rows = answer.elements("rows").map { row in
      "\(row["path"]?.string ?? "") \(row["open"]?.text ?? "")"
    }
    #expect(rows == ["/pot true", "/pot/tea false", "/tea false"])
    #expect(answer["change"] == 1)
    #expect(answer["total"] == 3)
  }

  @Test("damage right before a gap is a row of its own")
  func damageBeforeGap() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"flux":"1.1","stores":{"a":{"initial":0}}}
      {"n":1,"t":0,"action":{"type":"x"},"states":{"a":1}}
      {"n":2,
      {"gap":{"from":3,"to":2,"why":"restored","step":1}}
      {"n":3,"t":0,"action":{"type":"x"},"states":{"a":3}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    #expect(
      try log.ask("steps", "{}").elements("rows").map(\.rowText) == [
        "0 start 0", "1 step 1 x", "2 damage line 3 is damaged",
        "3 gap the app went back to the model after step 1 before step 3: restored", "4 step 3 x",
      ])
  }

  @Test("a step after a return to an earlier model says that, and nothing of missing steps")
  func differenceAfterRestoring() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"flux":"1.1","stores":{"a":{"initial":0}}}
      {"n":1,"t":0,"action":{"type":"x"},"states":{"a":1}}
      {"n":2,"t":0,"action":{"type":"x"},"states":{"a":2}}
      {"gap":{"from":3,"to":2,"why":"restored","step":1}}
      {"n":3,"t":0,"action":{"type":"x"},"states":{"a":3}}
      {"gap":{"from":4,"to":5,"why":"paused"}}
      {"n":6,"t":0,"action":{"type":"x"},"states":{"a":4}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    let found = try [2, 4, 6].map { row in
      let answer = try log.ask("difference", "{\"b\":\(row)}")
      return "\(answer["from"]?.text ?? "") \(answer["restored"]?.text ?? "")"
    }
    #expect(found == ["1 ", "1 true", "3 "])
  }

  @Test("a search in a tree compares texts by scalars")
  func treeSearchByScalars() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      {"flux":"1.0","stores":{"menu":{"initial":{"composed":"Caf\u00e9","decomposed":"Cafe\u0301"}}}}
      {"n":1,"t":0,"action":{"type":"a"}}

      """#, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    for (search, name) in [(#"CAF\u00c9"#, "composed"), (#"CAFE\u0301"#, "decomposed")] {
      let answer = try log.ask("tree", #"{"place":1,"search":"\#(search)"}"#)
      let rows = answer.elements("rows").map { $0["path"]?.string }
      #expect(rows == ["/menu", "/menu/\(name)"])
    }
  }

  // MARK: Overview

  @Test("the overview counts each step once, in any number of parts")
  func overview() throws {
    for name in PageFixture.names {
      let log = try PageFixture.log(name)
      for buckets in [1, 3, 2000] {
        let answers = try log.askAll("overview", "\"buckets\":\(buckets),\"by\":\"type\"")
        let count = Int64(log.log.count)
        #expect(answers.flatMap { $0.integers("steps") }.reduce(0, +) == count, "\(name)")
        let bands = answers.flatMap { $0.elements("bands") }
        #expect(bands.flatMap { $0.integers("counts") }.reduce(0, +) == count, "\(name)")
      }
    }
  }

  @Test("the overview names the first step of each part that has one")
  func numbers() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"flux":"1.0","stores":{}}
      {"n":1,"t":0,"action":{"type":"a"}}
      {"mark":"here","t":1}
      {"n":2,"t":2,"action":{"type":"a"}}
      {"gap":{"from":3,"to":6,"why":"paused"}}
      {"n":7,"t":3,"action":{"type":"a"}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    for (buckets, numbers) in [(6, "[null,1,null,2,null,7]"), (3, "[1,2,7]"), (1, "[1]")] {
      let answer = try log.ask("overview", #"{"buckets":\#(buckets)}"#)
      #expect(answer["numbers"]?.text == numbers)
    }
  }

  @Test("a series has the numbers that a path had")
  func series() throws {
    let log = try PageFixture.log("shop.jsonl")
    let answers = try log.askAll("series", #""path":"/cart/total","points":2000"#)
    let points = answers.flatMap { $0.elements("points") }
    #expect(points.count == log.log.count)
    for point in points {
      let number = try #require(point["n"]?.number?.int64)
      let position = try #require(log.log.position(atOrBefore: UInt64(number)))
      let state = try log.timeline.state(of: "cart", at: position)
      #expect(point["value"]?.text == state?["total"]?.text)
    }
  }

  // MARK: Causes

  @Test("causes lead up, and effects lead down")
  func causes() throws {
    let log = try PageFixture.log("shop.jsonl")
    let chain = try log.ask("chain", #"{"row":2}"#).elements("chain")
    #expect(chain.map(\.linkText) == ["2 2 catalogue/loaded", "1 1 catalogue/load"])
    let effects = try log.askAll("effects", #""row":5"#).flatMap { $0.elements("steps") }
    #expect(effects.map(\.linkText) == ["6 6 session/signedIn"])
  }

  @Test(
    "positions are found as people write them",
    arguments: [
      ("5", 5, 5), ("start", 0, 0), ("end", 29, 28), ("50%", 15, 14), ("cart/add#2", 8, 8),
      ("@4.1", 7, 7), ("+3", 13, 12),
    ])
  func locate(_ text: String, _ row: Int, _ number: Int) throws {
    let log = try PageFixture.log("shop.jsonl")
    let answer = try log.ask("locate", "{\"position\":\"\(text)\",\"row\":9}")
    #expect(answer.text == "{\"row\":\(row),\"n\":\(number)}")
  }

  @Test("values over time begin behind a row, however often the search is interrupted")
  func valuesFromHere() throws {
    let log = try PageFixture.log("shop.jsonl")
    let answers = try log.askAll(
      "writes", #""path":"/cart/total","row":16,"direction":"forwards","limit":1"#)
    let found = answers.flatMap { $0.elements("writes") }.compactMap { $0["row"]?.text }
    #expect(found == ["18", "19", "24", "27"])
  }

  // MARK: Landing

  @Test(
    "a page opens where something went wrong, and otherwise at the end",
    arguments: [
      ("crash.jsonl", #"{"row":4,"reason":"crash"}"#),
      ("shop.jsonl", #"{"row":21,"reason":"rejection"}"#),
      ("counter.jsonl", #"{"row":3,"reason":"rejection"}"#),
      ("comments.jsonl", #"{"row":12,"reason":"end"}"#),
    ])
  func landing(_ name: String, _ landing: String) throws {
    #expect(try PageFixture.log(name).ask("info")["landing"]?.text == landing)
  }

  @Test("the action that was in flight when the app crashed is a row behind the last step")
  func inFlight() throws {
    let log = try PageFixture.log("crash.jsonl")
    let rows = try log.ask("steps", "{}")["rows"]?.elements.map { $0 } ?? []
    let last = try #require(rows.last)
    #expect(last["kind"]?.string == "inflight")
    #expect(last["text"]?.string?.hasSuffix("begun, but not finished") == true, "\(last.text)")
    let row = rows.count - 1
    #expect(try log.ask("step", "{\"row\":\(row)}")["kind"]?.string == "inflight")
    // Its states are those before it.
    let (here, before) = (
      try log.ask("tree", "{\"place\":\(row)}"), try log.ask("tree", "{\"place\":\(row - 1)}")
    )
    #expect(here["total"]?.text == before["total"]?.text)
  }

  @Test("the page opens at the action in flight that did not finish, or else at the first one")
  func landingInFlight() throws {
    let folder = try TemporaryFolder()
    func log(_ isCommitted: [Bool], end: String = "") throws -> PageLog {
      try folder.write(
        """
        {"flux":"1.1","log":"a","stores":{"a":{"initial":0}}}
        {"n":1,"t":0,"action":{"type":"x"},"states":{"a":1}}
        \(end)
        """, to: "log.jsonl")
      let actions = isCommitted.enumerated().map { place, isCommitted in
        InFlightAction(
          number: UInt64(place) + 2, time: LogTime(microseconds: 1), type: "x",
          action: ["type": "x"], isCommitted: isCommitted)
      }
      try InFlightCopy.write(actions, beside: folder.path("log.jsonl"))
      let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
      try log.log.waitForIndex()
      return log
    }
    func info(_ log: PageLog) throws -> String {
      let info = try log.ask("info")
      return "\(info["landing"]?.text ?? "") \(info.elements("inflight").count)"
    }
    #expect(try info(log([true, true, false])) == #"{"row":4,"reason":"crash"} 3"#)
    #expect(try info(log([true, true])) == #"{"row":2,"reason":"inflight"} 2"#)
    // The disk was full, and the recorder closed the log all the same.
    let failed = try log([true], end: #"{"end":{"steps":1,"ok":false}}"# + "\n")
    #expect(try info(failed) == #"{"row":2,"reason":"inflight"} 1"#)
    #expect(
      try failed.ask("steps", "{}").elements("rows").map(\.rowText) == [
        "0 start 0", "1 step 1 x",
        "2 inflight step 2 x, committed, but its line was not written",
      ])
    // A recorder that is alive writes the line.
    let running = try log([true])
    let recorder = try Descriptor(opening: folder.path("log.jsonl"), O_RDWR)
    #expect(try recorder.lock())
    #expect(try info(running) == #"{"row":1,"reason":"end"} 0"#)
    recorder.unlock()
    #expect(try info(running) == #"{"row":2,"reason":"inflight"} 1"#)
  }

  @Test("a step answers its neighbours, its changes, and the steps that wrote the values before")
  func step() throws {
    let step = try PageFixture.log("shop.jsonl").ask(
      "step", #"{"row":18,"changes":300,"blame":true}"#)
    #expect(step["n"]?.text == "17")
    #expect(step["before"] != nil)
    let changes = try #require(step["difference"]?["changes"]?.elements.map { $0 })
    #expect(changes.count == 7)
    // However little time there is for the writers, the first changes have theirs.
    let paths = step.elements("written").compactMap { $0["path"]?.string }
    #expect(!paths.isEmpty)
    #expect(paths == changes.prefix(paths.count).compactMap { $0["path"]?.string })
  }

  @Test("the old value stands beside the new one, removed members are ghosts, and changes are open")
  func unfolded() throws {
    let log = try PageFixture.log("shop.jsonl")
    let answer = try log.ask("tree", #"{"place":18,"unfold":true,"count":500}"#)
    let rows = answer.elements("rows")
    func row(_ path: String) -> JSON? { rows.first { $0["path"]?.string == path } }
    #expect(row("/cart/total")?["old"]?.text == "5340")
    #expect(row("/cart/lines/0")?["kind"]?.string == "removed")
    #expect(row("/session/token")?["changed"]?.string == "removed")
    #expect(answer["change"]?.text == "2")
    #expect(row("/catalogue/products") == nil)
  }

  @Test("a search in a tree that runs out of time goes on where it was")
  func continuedTree() throws {
    let folder = try TemporaryFolder()
    let items = (0..<2000).map { #"{"id":\#($0),"name":"item \#($0 % 7 == 0 ? "tea" : "cup")"}"# }
    try folder.write(
      """
      {"flux":"1.0","stores":{"a":{"initial":{"items":[\(items.joined(separator: ","))]}}}}
      {"n":1,"t":0,"action":{"type":"a"}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    let answers = try log.askAll("tree", #""place":1,"search":"tea","count":500"#)
    #expect(answers.count > 1)
    let found = Set(
      answers.flatMap { $0.elements("rows") }.filter { $0["match"] != nil }.compactMap {
        $0["path"]?.string
      })
    #expect(found == Set((0..<2000).filter { $0 % 7 == 0 }.map { "/a/items/\($0)/name" }))
  }

  // MARK: Failures

  private static let wrongRequests: [(String, String, String)] = [
    ("steps", "[]", "bad-request: expected an object, found an array"),
    (
      "steps", #"{"rows":5}"#, "bad-request: rows: expected an array of integers, found a number"
    ),
    ("steps", #"{"rows":[1,"2"]}"#, "bad-request: rows: expected integers, found a string"),
    (
      "tree", #"{"place":1,"open":"/cart"}"#,
      "bad-request: open: expected an array of strings, found a string"
    ),
    ("tree", #"{"place":1,"closed":[5]}"#, "bad-request: closed: expected strings, found a number"),
    ("step", "{}", "bad-request: row is missing"),
    ("step", #"{"row":99}"#, "bad-request: row: there is no row 99"),
    ("step", #"{"row":"1"}"#, "bad-request: row: expected an integer, found a string"),
    (
      "tree", #"{"place":1,"path":"x"}"#,
      "bad-request: the JSON Pointer \"x\" does not start with '/'"
    ),
    ("tree", #"{"place":1,"path":"/x"}"#, "no-path: there is no /x here"),
    (
      "locate", #"{"position":"99"}"#,
      "bad-position: there is no step 99; the log has steps 1 to 28"
    ),
    (
      "writes", #"{"path":"/cart","next":[1]}"#,
      "bad-request: next: expected what an answer had there"
    ),
  ]

  @Test("a wrong request says what is wrong", arguments: wrongRequests)
  func failures(_ name: String, _ request: String, _ message: String) throws {
    let log = try PageFixture.log("shop.jsonl")
    do {
      _ = try log.ask(name, request)
      Issue.record("answered")
    } catch let error as PageError {
      #expect("\(error.error.code): \(error.error.message)" == message)
    }
  }

  @Test("a value that is large is summed up, and a long text is cut")
  func cutValues() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 5000)
    try folder.write(
      """
      {"flux":"1.0","stores":{"a":{"initial":{"text":""}}}}
      {"n":1,"t":0,"action":{"type":"a","payload":{"text":"\(long)"}},"states":{"a":{"text":"\(long)"}}}

      """, to: "log.jsonl")
    let log = PageLog(try LogFile.open(folder.path("log.jsonl")))
    let step = try log.ask("step", #"{"row":1}"#)
    #expect(step["payload"] == nil)
    #expect(step["payloadCut"]?["bytes"]?.text == "5011")
    let tree = try log.ask("tree", #"{"place":1,"depth":9}"#)
    #expect(tree["rows"]?[1]?["value"]?.string?.count == 1000)
    #expect(tree["rows"]?[1]?["length"]?.text == "5000")
    let change = try log.ask("difference", #"{"b":1}"#)["changes"]?[0]
    #expect(change?["newCut"]?["kind"]?.string == "string")
    #expect(change?["newCut"]?["count"]?.text == "5000")
    #expect(change?["splice"]?["ins"]?.string?.count == 2000)
    #expect(change?["splice"]?["cut"]?.bool == true)
  }

  @Test("a state that a patch hides says so, and not that steps are missing")
  func unfitPatch() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"flux":"1.0","stores":{"a":{"initial":{"v":0}}}}
      {"gap":{"from":1,"to":3,"why":"paused"}}
      {"n":4,"t":4,"action":{"type":"x"},"states":{"a":{"v":1}}}
      {"n":5,"t":5,"action":{"type":"x"},"patches":{"a":[{"op":"remove","path":"/w"}]}}

      """, to: "log.jsonl")
    let tree = try PageLog(try LogFile.open(folder.path("log.jsonl"))).ask("tree", #"{"place":3}"#)
    #expect(
      tree["rows"]?[0]?["text"]?.string == "unknown here: a patch up to this step does not apply")
  }
}

extension JSON {
  /// The elements of a member; empty if there is no such array.
  fileprivate func elements(_ name: String) -> [JSON] {
    self[name].map { Array($0.elements) } ?? []
  }

  /// The numbers of a member; 0 for each that is no integer.
  fileprivate func integers(_ name: String) -> [Int64] {
    elements(name).map { $0.number?.int64 ?? 0 }
  }

  /// A row in a line.
  fileprivate var rowText: String {
    let kind = self["kind"]?.string ?? ""
    let rest =
      kind == "step"
      ? "\(self["n"]?.text ?? "") \(self["type"]?.string ?? "")"
      : self["text"]?.string ?? self["n"]?.text ?? ""
    return "\(self["row"]?.text ?? "") \(kind) \(rest)"
  }

  fileprivate var linkText: String {
    "\(self["row"]?.text ?? "") \(self["n"]?.text ?? "") \(self["type"]?.string ?? "")"
  }
}
