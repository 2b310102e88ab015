import FluxJSON
import FluxLog
import Foundation
import FuzzInput

/// Reads actions in flight that a crash has left, changed as the fuzzer makes up, with checksums that are right.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes until this returns.
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  var ring = recorded
  var edits = Edits(input.dropFirst())
  edits.apply(to: &ring, from: 0)
  setChecksums(in: &ring, ofRing: input.first.map { $0 & 1 == 0 } ?? true)
  InputFile(".jsonl.inflight").write(ring)
  do throws(LogError) {
    let actions = try log.inFlight()
    precondition(zip(actions, actions.dropFirst()).allSatisfy { $0.number < $1.number })
    precondition(actions.allSatisfy { $0.action == nil || $0.action?.text.isEmpty == false })
  } catch {
    precondition(!error.message.isEmpty, "\(error)")
  }
  return 0
}

/// A log without steps, whose header has nothing that the ring could be told by.
private let log: LogFile = {
  let file = InputFile(".jsonl")
  file.write(Array("{\"flux\":\"1.0\"}\n".utf8))
  do {
    let log = try LogFile.open(file.path)
    try log.waitForIndex()
    return log
  } catch {
    preconditionFailure("cannot open \(file.path): \(error)")
  }
}()

/// A ring as a recorder leaves it: some actions with an origin, one of them committed.
private let recorded: [UInt8] = {
  let file = InputFile("-recorded.jsonl")
  var options = LogWriter.Options()
  options.inFlightByteCount = 4096
  options.existing = .replace
  do {
    let writer = try LogWriter(path: file.path, header: LogHeader(), options: options)
    for number in UInt64(1)...5 {
      let payload = JSON(stringLiteral: String(repeating: "é\"", count: Int(number) * 5))
      _ = writer.begin(
        step: number, at: LogTime(microseconds: number),
        action: LogValue(json: ["type": "a/b", "payload": payload]),
        origin: number % 2 == 0
          ? ActionOrigin() : ActionOrigin(target: "store", cause: number - 1, effect: "load"))
    }
    defer { withExtendedLifetime(writer) {} }
    return file.inFlight.bytes
  } catch {
    preconditionFailure("cannot record \(file.path): \(error)")
  }
}()
