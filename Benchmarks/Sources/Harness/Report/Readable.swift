import Foundation

/// Numbers as they are shown: three digits that count, and thousands apart.
package enum Readable {
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let size = abs(value)
    if size >= 100 || value == value.rounded() { return grouped(Int(value.rounded())) }
    let decimals = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
    return String(format: "%.\(decimals)f", value)
  }

  /// A share as a percentage with one decimal.
  package static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  package static func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
