extension Difference {
  /// Compares two strings, and replaces the whole string or only the part that differs.
  mutating func compareStrings(_ old: Int, _ new: Int) {
    let isEscaped = (self.old[old].info | self.new[new].info) & JSONNode.escaped != 0
    let (left, right) = unsafe (self.old.content(old), self.new.content(new))
    guard isEscaped else {
      return unsafe left.equals(right) ? () : compareText(left, right, with: new)
    }
    let oldText = unsafe WTF8.bytes(of: left, isEscaped: true)
    let newText = unsafe WTF8.bytes(of: right, isEscaped: true)
    guard oldText != newText else { return }
    unsafe oldText.withUnsafeBytes { left in
      unsafe newText.withUnsafeBytes { right in unsafe compareText(left, right, with: new) }
    }
  }

  /// Compares two different texts in WTF-8.
  private mutating func compareText(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, with replacement: Int
  ) {
    // A splice has 12 more bytes around its text than a replacement, so short texts cannot gain.
    guard style == .compact, new.count > 12 else { return replace(with: replacement) }
    let shorter = min(old.count, new.count)
    var head = unsafe old.commonPrefix(with: new)
    while head > 0, unsafe old.isInsideScalar(head) || new.isInsideScalar(head) { head -= 1 }
    var tail = min(unsafe old.commonSuffix(with: new), shorter - head)
    while tail > 0, unsafe old.isInsideScalar(old.count - tail) { tail -= 1 }
    let inserted = WTF8.json(unsafe [UInt8](new[head..<(new.count - tail)]))
    let splice = Patch.Operation.splice(
      path.pointer, at: unsafe WTF8.count(old[..<head]),
      delete: unsafe WTF8.count(old[head..<(old.count - tail)]), insert: inserted)
    if splice.byteCount + 1 < replaceSize(replacement) {
      append(splice)
    } else {
      replace(with: replacement)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns `true` if the byte at this offset continues a code point.
  fileprivate func isInsideScalar(_ offset: Int) -> Bool {
    unsafe offset < count && self[offset] & 0xC0 == 0x80
  }
}
