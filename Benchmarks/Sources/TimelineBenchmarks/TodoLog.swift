import FluxLog
import Foundation

/// Writes a log of a state of 142 KB, 1,000 todos, one change a step.
struct TodoLog {
  let path: String
  let stateByteCount: Int
  let byteCount: Int

  private struct Todos {
    private var items: [String]
    private let words = ["buy", "milk", "call", "about", "the", "new", "roof", "before", "café"]

    init() {
      items = (0..<1_000).map { index in
        #"{"created":\#(780_000_000 + index),"done":false,"id":\#(index),"#
          + #""note":"remember to look at this one again","tags":["home","later"],"#
          + #""title":"todo number \#(index)"}"#
      }
    }

    var text: String { #"{"items":[\#(items.joined(separator: ","))]}"# }

    mutating func change(_ step: Int, _ random: inout some RandomNumberGenerator) {
      let index = Int.random(in: 0..<items.count, using: &random)
      let item = items[index]
      if step % 2 == 0 {
        items[index] =
          item.contains(#""done":false"#)
          ? item.replacing(#""done":false"#, with: #""done":true"#)
          : item.replacing(#""done":true"#, with: #""done":false"#)
      } else {
        let title = #""title":"\#(words[step % words.count]) \#(step)"}"#
        guard let start = item.range(of: #""title":"#)?.lowerBound else { return }
        items[index] = item[..<start] + title
      }
    }
  }

  init(path: String, steps: Int, random: inout some RandomNumberGenerator) throws {
    var todos = Todos()
    var options = LogWriter.Options()
    options.durability = .buffered
    options.replacesExisting = true
    options.queueCapacity = 64
    let header = LogHeader(
      log: "benchmark", created: LogInstant(microseconds: 0), seed: 1,
      stores: [
        .init(name: "todos", type: "Todos", initial: try JSON.parse(todos.text)),
        .init(name: "filter", type: "Filter", initial: "all"),
      ])
    let writer = try LogWriter(path: path, header: header, options: options)
    for step in 0..<steps {
      todos.change(step, &random)
      let text = todos.text
      let number = UInt64(step) + 1
      let time = LogTime(microseconds: number * 1000)
      let type = step % 2 == 0 ? "todo/toggle" : "todo/rename"
      let action = writer.begin(
        step: number, at: time,
        action: LogValue(json: ["type": JSON(stringLiteral: type), "payload": ["id": 1]]))
      let state = LogValue(encoding: { try JSON.parse(text) })
      writer.append(
        StepRecord(
          number: number, time: time, action: action,
          changes: [.init(store: "todos", state: state)]))
    }
    try writer.close()
    self.path = path
    stateByteCount = todos.text.utf8.count
    byteCount = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}
