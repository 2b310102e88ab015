import CTwin
import Foundation

func count(_ bytes: [UInt8]) -> Int {
  twin_wait()
  return bytes.span.count  // apple-check: 'span' is only available in
}

func isAllocated() -> Bool {
  #if canImport(Darwin)
    let code = EOPNOTSUPP
    return code == 0 ? twin_is_ready() : false  // apple-check --all: will never be executed
  #else
    return true
  #endif
}

#if canImport(Darwin)
  final class Counter {
    var count = 0
  }

  func race(_ counter: Counter) {
    Task { counter.count += 1 }  // apple-check: risks causing data races
  }
#endif
