import FluxLog

/// Called by the fuzzer with one input after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkDifference(of: unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
