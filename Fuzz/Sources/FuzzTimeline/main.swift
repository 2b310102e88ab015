import FluxLog
import FuzzInput

/// Opens any bytes as a log, walks through it, checks it, and repairs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes until this returns.
  file.write(logText(of: unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))))
  do throws(LogError) {
    let log = try openLog(file)
    checkWalks(log)
    checkQuestions(log)
    checkRepair(log)
  } catch {
    precondition(!error.message.isEmpty, "\(error)")
  }
  return 0
}

private let file = InputFile(".jsonl")
