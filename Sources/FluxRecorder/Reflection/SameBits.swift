/// Returns `true` if two values have one type and the same bits, or are arrays whose elements have.
func hasSameBits(_ value: Any, as other: Any) -> Bool {
  let type = Swift.type(of: value)
  return type == Swift.type(of: other) && hasSameBits(value, other, type)
}

private func hasSameBits<Value>(_ value: Any, _ other: Any, _ type: Value.Type) -> Bool {
  guard let value = value as? Value, let other = other as? Value else { return false }
  let isSame = unsafe withUnsafeBytes(of: value) { left in
    // Both are the bytes of a value of this type. Padding may differ, which costs a walk.
    unsafe withUnsafeBytes(of: other) { unsafe left.equals($0) }
  }
  if isSame { return true }
  guard let array = value as? any BitwiseComparable else { return false }
  return array.hasSameElementBits(as: other)
}

private protocol BitwiseComparable {
  func hasSameElementBits(as other: Any) -> Bool
}

extension Array: BitwiseComparable {
  fileprivate func hasSameElementBits(as other: Any) -> Bool {
    guard let other = other as? [Element], count == other.count else { return false }
    let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
    return unsafe withUnsafeBytes { left in
      // The elements of both arrays have one type and are alive; between them, there may be padding.
      unsafe other.withUnsafeBytes { right in
        guard size < stride else { return unsafe left.equals(right) }
        for start in Swift.stride(from: 0, to: left.count, by: stride) {
          let bytes = start..<start + size
          let isSame = unsafe UnsafeRawBufferPointer(rebasing: left[bytes])
            .equals(UnsafeRawBufferPointer(rebasing: right[bytes]))
          guard isSame else { return false }
        }
        return true
      }
    }
  }
}
