import FluxLog
import FuzzInput

/// Opens a log with an index beside it that the fuzzer has made up from a right one, with right checksums.
///
/// Whatever the index says of the log, asking it is an answer or a ``LogError``.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes until this returns.
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  log.write(text)
  var sidecar = recorded
  sidecar.apply(input)
  sidecar.identify(log: log.path)
  InputFile(".jsonl.idx").write(sidecar.bytes)
  ask(appending: input.first.map { $0 & 1 == 0 } ?? false)
  return 0
}

let log = InputFile(".jsonl")

/// A log that has something of everything.
let text = summed(
  """
  {"flux":"1.0","first":3,"stores":{"a":{"initial":{"items":[]}},"b":{"feature":true}}}
  {"n":3,"t":0.1,"action":{"type":"x"},"states":{"b":1}}
  {"n":4,"t":0.2,"action":{"type":"y"},"cause":3,"patches":{"a":[{"op":"add","path":"/items/-","value":1}]}}
  {"mark":"half","t":0.3}
  {"n":5,"t":0.3,"action":{"type":"x"},"removed":["b"]}
  {"gap":{"from":6,"to":9,"why":"paused"}}
  {"n":10,"t":0.4,"action":{"type":"x"},"states":{"a":{"items":[1,2]}}}
  {"n":11,"t":0.4,"action":{"type":"z"},"rejected":{"reason":"impossible","message":"no"}}
  {"n":12,"t":0.5,"action":{"type":"y"},"patches":{"a":[{"op":"remove","path":"/items/0"}]}}
  """.utf8)

/// The index that the log's reader has written beside it.
private let recorded: ForgedSidecar = {
  log.write(text)
  do throws(LogError) {
    _ = try LogFile.open(log.path).saveIndex()
  } catch {
    preconditionFailure("cannot index \(log.path): \(error)")
  }
  return ForgedSidecar(InputFile(".jsonl.idx").bytes)
}()
