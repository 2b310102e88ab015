/// One component of a coding path: the name of a member or the index of an element.
struct LogKey: CodingKey, CustomStringConvertible {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  static let superclass = LogKey(stringValue: "super")

  var description: String { stringValue }
}
