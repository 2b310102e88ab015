import FluxJSON
import FluxLog

/// Parses any bytes.
///
/// A value has to survive being laid out anew, and to be equal to itself however
/// it is written; an error has to point into the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes until this returns.
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  do throws(JSONError) {
    let value = try JSON.parse(bytes)
    let canonical = value.canonical()
    precondition(value == canonical && canonical == value, "canonical form changed the value")
    let (pretty, compact) = (try JSON.parse(value.pretty()), try JSON.parse(value.description))
    precondition(pretty == value, "indentation changed the value")
    precondition(compact == value, "removing blanks changed the value")
    precondition(canonical.canonical().text == canonical.text, "canonical form is not stable")
    visit(value)
  } catch {
    precondition((0...count).contains(error.byte) && !error.message.isEmpty, "\(error)")
  }
  return 0
}

private func visit(_ value: JSON) {
  if let number = value.number {
    precondition(number == number && !(number < number), "a number is not equal to itself")
    if let integer = number.int64 {
      precondition(JSONNumber(String(integer)) == number, "an integer changed")
    }
  }
  _ = value.string
  precondition(value.elements.reduce(0) { count, _ in count + 1 } == value.elements.count)
  for element in value.elements { visit(element) }
  for member in value.members {
    visit(member.value)
  }
}
