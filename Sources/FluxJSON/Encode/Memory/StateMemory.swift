/// The arrays of a state as they were last encoded, with their texts.
///
/// Arrays inside other arrays are not remembered. Most steps change one element of a long array.
/// Elements whose bits did not change are not encoded again. A step of 1,000 todos then takes a
/// twentieth of the instructions.
///
/// Different bits prove nothing, so those elements are encoded again. Equal bits mean equal values,
/// because the memory retains the old array. Its elements keep their storage alive, and shared
/// storage is copied before a change. But equal values can have different texts, if an
/// `encode(to:)` reads something that is not part of the value. This is handled in two ways:
///
/// - It is exact if the encoder can see it. An element type is forgotten if the encoding of an
///   element reads `codingPath` or `userInfo`, or encodes an object, which may change in place. ``ObjectSearch``
///   finds objects that an element hands its encoder to.
/// - It is audited if the encoder cannot see it, as with a global variable, or a property of an
///   object. The memory encodes remembered elements again, one in a text, all of them in turn. If a
///   text differs, its element type is forgotten, and the state is encoded without the memory.
///
/// No other text of an earlier encoding is ever reused. Spare sessions and containers are empty.
package final class StateMemory: @unchecked Sendable {
  // Sendable: one ledger owns the memory, and only the thread that writes the log uses that ledger.
  // No access to an unchecked variable calls other code, so run-time exclusivity checks are unnecessary.

  /// The arrays in the order in which they were encoded.
  @exclusivity(unchecked) private var arrays: [(elementType: ObjectIdentifier, array: AnyObject)] =
    []
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var isInArray = false
  /// `true` if the text of an element may depend on more than its value.
  @exclusivity(unchecked) private var hasContext = false
  /// The element types that are not remembered; an array, because it is usually empty.
  @exclusivity(unchecked) private var forgotten: [ObjectIdentifier] = []
  @exclusivity(unchecked) private var isWrong = false
  /// Checked, because a search calls the mirrors of elements.
  private var objects = ObjectSearch()
  @exclusivity(unchecked) private var audit = ElementAudit()
  private let onMismatch: (@Sendable (_ elementType: String) -> Void)?

  /// The maximum number of remembered arrays; further arrays are encoded in full.
  private static let limit = 256

  /// Creates an empty memory.
  ///
  /// - Parameter onMismatch: Called once for each element type whose remembered text was wrong.
  package init(onMismatch: (@Sendable (_ elementType: String) -> Void)? = nil) {
    self.onMismatch = onMismatch
  }

  /// `true` if an audit found a wrong text in the last encoding.
  package var hasMismatch: Bool { unsafe isWrong }

  /// `true` during the encoding of a remembered array.
  var isInsideArray: Bool { unsafe isInArray }

  /// Removes all arrays; forgotten types stay forgotten.
  package func removeAll() { unsafe arrays = [] }

  /// Starts the next text at the first remembered array.
  func begin() {
    if unsafe isWrong {
      unsafe isWrong = false
      removeAll()
    }
    unsafe audit.begin(arrayCount: next)
    unsafe next = 0
    unsafe isInArray = false
  }

  /// `true` if the next array can be remembered.
  func isReady(for type: any RememberableArray.Type) -> Bool {
    guard unsafe !isInArray && next < Self.limit, !type.holdsObjects else { return false }
    return unsafe forgotten.isEmpty || !forgotten.contains(type.elementType)
  }

  /// Returns the memory of the next array; the caller must call ``endArray()`` afterwards.
  func beginArray<Element>(of type: Element.Type) -> RememberedArray<Element> {
    unsafe isInArray = true
    unsafe hasContext = false
    let place = unsafe next
    unsafe next += 1
    let elementType = ObjectIdentifier(type)
    if unsafe place < arrays.count, unsafe arrays[place].elementType == elementType {
      // The element type was just compared. A checked cast took as long as comparing the elements.
      return unsafe unsafeDowncast(arrays[place].array, to: RememberedArray<Element>.self)
    }
    let new = RememberedArray<Element>()
    if unsafe place < arrays.count {
      unsafe arrays[place] = (elementType, new)
    } else {
      unsafe arrays.append((elementType, new))
    }
    return new
  }

  func endArray() { unsafe isInArray = false }

  /// Marks the current element: its text may depend on more than its value.
  func noteContext() { unsafe hasContext = true }

  /// Marks the elements if one may encode an object that the encoder does not see.
  @inline(__always)
  func noteObjects<Element>(in elements: ArraySlice<Element>, of known: RememberedArray<Element>) {
    if unsafe !known.holdsNoObjects { search(elements, of: known) }
  }

  @inline(never)
  private func search<Element>(
    _ elements: ArraySlice<Element>, of known: RememberedArray<Element>
  ) {
    for element in elements where unsafe !hasContext {
      if objects.isPlain(Element.self) {
        unsafe known.holdsNoObjects = true
        return
      }
      if objects.finds(in: element) { noteContext() }
    }
  }

  /// Forgets an element type if an element was marked; returns `true` if the type is forgotten.
  func forgetsMarked<Element>(_ type: Element.Type) -> Bool {
    if unsafe hasContext { forget(type) }
    return unsafe !forgotten.isEmpty && forgotten.contains(ObjectIdentifier(type))
  }

  /// Forgets an element type because the text of an element was wrong.
  func forgetMismatched<Element>(_ type: Element.Type) {
    unsafe isWrong = true
    if forget(type) { onMismatch?(String(reflecting: type)) }
  }

  @discardableResult
  private func forget<Element>(_ type: Element.Type) -> Bool {
    let identifier = ObjectIdentifier(type)
    guard unsafe !forgotten.contains(identifier) else { return false }
    unsafe forgotten.append(identifier)
    return true
  }

  /// Returns the index of the element of the current array that the audit encodes again, or `nil`.
  @inline(__always)
  func elementToAudit(_ shared: SharedElements) -> Int? {
    unsafe audit.element(of: next - 1, shared)
  }
}

extension EncodingSession {
  /// Encodes the innermost value as an array, reusing the text of unchanged elements.
  @inline(__always)
  func encodeRemembered<T: Encodable>(_ value: T) throws -> Bool {
    guard let memory = unsafe state.memory else {
      if parent != nil { noteObject(T.self) }
      return false
    }
    return try unsafe memory._withUnsafeGuaranteedRef { try encodeArray(value, $0) }
  }

  @inline(__always)
  private func encodeArray<T: Encodable>(_ value: T, _ memory: StateMemory) throws -> Bool {
    guard !memory.isInsideArray else {
      noteObject(T.self)
      return false
    }
    guard let type = unsafe state.types.facts(of: T.self).array, memory.isReady(for: type),
      unsafe state.open(.array)
    else { return false }
    try type.encode(value, in: self, memory)
    return true
  }

  /// Marks the current element if it encodes an object, which may change in place.
  @inline(never)
  private func noteObject(_ type: any Encodable.Type) {
    if type is AnyObject.Type { noteContext() }
  }

  /// Marks the current element, if the value is inside one of a remembered array.
  @inline(never)
  func noteContext() {
    var outermost = self
    while let parent = outermost.parent { outermost = parent }
    if let memory = unsafe outermost.state.memory {
      unsafe memory._withUnsafeGuaranteedRef { $0.noteContext() }
    }
  }

  fileprivate func encode<Element: Encodable>(
    _ elements: [Element], _ memory: StateMemory
  ) throws {
    let known = memory.beginArray(of: Element.self)
    defer { memory.endArray() }
    let shared = known.shared(with: elements)
    if let place = memory.elementToAudit(shared) {
      audit(elements[place], shared.oldIndex(of: place), known, memory)
    }
    let start = unsafe state.buffer.count
    unsafe state.appendElements(shared.head, of: known.text, known.span(of: 0..<shared.head))
    known.beginMiddle()
    try encode(elements, shared.head..<shared.newRun.lowerBound, known, from: start)
    if !shared.newRun.isEmpty {
      let text = known.span(of: shared.oldRun)
      unsafe state.appendElements(shared.newRun.count, of: known.text, text)
      known.appendRun(shared.oldRun, at: unsafe state.buffer.count - text.count - start)
    }
    try encode(
      elements, shared.newRun.upperBound..<elements.count - shared.tail, known, from: start)
    unsafe state.appendElements(
      shared.tail, of: known.text, known.span(of: known.count - shared.tail..<known.count))
    guard !memory.forgetsMarked(Element.self) else { return known.removeAll() }
    unsafe state.buffer.withBytes(start..<state.buffer.count) { text in
      unsafe known.update(elements, shared, text: text)
    }
  }

  /// Encodes elements that equal no remembered ones; the array's text begins at `start`.
  @inline(__always)
  private func encode<Element: Encodable>(
    _ elements: [Element], _ part: Range<Int>, _ known: RememberedArray<Element>, from start: Int
  ) throws {
    for place in part {
      unsafe state.beginElement()
      do {
        try encodeNext(elements[place])
      } catch {
        noteThrower(elements[place])
        unsafe state.levels.truncate(to: state.levels.count - 1)
        throw error
      }
      known.append(end: unsafe state.buffer.count - start)
    }
    if let memory = unsafe state.memory {
      unsafe memory._withUnsafeGuaranteedRef { $0.noteObjects(in: elements[part], of: known) }
    }
  }

  /// Encodes an element of the innermost array again, and compares it with its remembered text.
  @inline(never)
  private func audit<Element: Encodable>(
    _ element: Element, _ place: Int, _ known: RememberedArray<Element>, _ memory: StateMemory
  ) {
    let mark = unsafe state.mark()
    let start = unsafe state.buffer.count
    unsafe state.beginElement()
    let isEqual: Bool
    do {
      try encodeNext(element)
      isEqual = unsafe state.buffer.withBytes(start..<state.buffer.count) { new in
        unsafe known.text.withBytes(known.span(of: place..<place + 1)) { unsafe $0.equals(new) }
      }
    } catch {
      // The whole state is encoded again without the memory, which throws the error.
      unsafe state.failure = nil
      isEqual = false
    }
    unsafe state.restore(mark)
    if !isEqual { memory.forgetMismatched(Element.self) }
  }
}

extension EncodingState {
  /// Appends elements as a part of a text that was encoded before.
  fileprivate mutating func appendElements(
    _ count: Int, of text: borrowing ByteBuffer, _ part: Range<Int>
  ) {
    guard count > 0 else { return }
    let innermost = levels.count - 1
    if levels[innermost].count > 0 { buffer.append(UInt8(ascii: ",")) }
    levels[innermost].count += count
    unsafe text.withBytes(part) { unsafe buffer.append($0) }
  }
}

/// An array whose elements can be remembered.
protocol RememberableArray {
  /// `true` if the elements are object references, whose equal bits do not prove equal values.
  static var holdsObjects: Bool { get }

  static var elementType: ObjectIdentifier { get }

  /// Encodes a value whose type is exactly this array type.
  static func encode<T>(
    _ value: T, in session: EncodingSession, _ memory: StateMemory) throws
}

extension Array: RememberableArray where Element: Encodable {
  static var holdsObjects: Bool { Element.self is AnyObject.Type }

  static var elementType: ObjectIdentifier { ObjectIdentifier(Element.self) }

  static func encode<T>(
    _ value: T, in session: EncodingSession, _ memory: StateMemory
  ) throws {
    precondition(T.self == Self.self)
    // The precondition makes this a cast from a type to itself.
    try session.encode(unsafe unsafeBitCast(value, to: Self.self), memory)
  }
}
