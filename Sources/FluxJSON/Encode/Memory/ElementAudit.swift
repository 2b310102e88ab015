/// The choice of the remembered elements that are encoded again.
///
/// Encoding a todo again takes 15 % of the instructions of recording a step of two todos. So only
/// the first 256 texts have an audit each. Later, an audit is due after 256 reused elements, or
/// after about 30 texts if they reuse few.
struct ElementAudit: BitwiseCopyable {
  private static let price = 256
  private var auditCount = 0
  /// The number of elements that were reused since the last audit; and 8 for each text.
  private var credit = 0
  /// `true` if the current text has had its audit.
  private var isDone = false
  /// The number of the array with the next element, and that element's index in it.
  private var array = 0
  private var index = 0

  mutating func begin(arrayCount: Int) {
    if array >= arrayCount { (array, index) = (0, 0) }
    credit &+= Self.price / 32
    isDone = false
  }

  @inline(__always)
  mutating func element(of array: Int, _ shared: SharedElements) -> Int? {
    credit &+= shared.count
    guard array == self.array else { return nil }
    // Elements have moved. A changed element is encoded anyway.
    index = shared.newIndex(from: index)
    let newCount = shared.newCount
    let isDue = !isDone && (credit >= Self.price || auditCount < Self.price)
    guard isDue || index >= newCount else { return nil }
    let place = index
    index &+= 1
    if index >= newCount { (self.array, index) = (array &+ 1, 0) }
    guard isDue && place < newCount else { return nil }
    isDone = true
    credit = 0
    auditCount = min(auditCount &+ 1, Self.price)
    return place
  }
}
