import FluxJSON
import FluxLog
package import Foundation

/// Writes a log of small steps, of which every third caused the two after it.
package enum CounterLog {
  package static func write(to url: URL, steps: Int) throws {
    var options = LogWriter.Options()
    options.overflow = .block
    options.durability = .buffered
    options.existing = .replace
    let header = LogHeader(
      log: "benchmark", created: LogInstant(microseconds: 0), seed: 1,
      stores: [
        .init(name: "counter", type: "Counter", initial: ["value": 0]),
        .init(name: "rare", type: "Rare", initial: 0),
      ])
    let writer = try LogWriter(
      path: url.path(percentEncoded: false), header: header, options: options)
    for step in 1...UInt64(steps) {
      let isRare = step % 1_000_000 == 999_999
      let time = LogTime(microseconds: step * 50)
      let type: JSON = isRare ? "rare/event" : "counter/add"
      let action = writer.begin(
        step: step, at: time, action: LogValue(json: ["type": type, "payload": ["by": 1]]))
      let value = JSON(integerLiteral: Int64(step))
      let state: JSON = isRare ? value : ["value": value]
      var record = StepRecord(
        number: step, time: time, action: action,
        changes: [.init(store: isRare ? "rare" : "counter", state: LogValue(json: state))])
      record.cause = step % 3 == 1 ? nil : step - (step + 2) % 3
      writer.append(record)
    }
    try writer.close()
  }
}
