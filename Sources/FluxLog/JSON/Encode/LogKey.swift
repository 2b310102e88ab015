/// A step on the way to a value: a member's name or an element's place.
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
