/// An array of elements with distinct identifiers, which finds an element by its identifier.
///
/// Looking up and changing an element takes the same time at any size. As with an array, the first change of a
/// copy, such as a reducer's first change in a step, copies the elements. A list is encoded as a plain array, so
/// replacing an array in a state with a keyed one keeps its logs valid. Decoding fails if two elements have
/// the same identifier.
/// ```swift
/// struct Notes: StateValue { var items: Keyed<Note> = [] }
///
/// var notes = Notes()
/// notes.items.append(note)
/// notes.items[id: note.id]?.text = "milk"
/// notes.items.remove(id: note.id)
/// ```
/// The elements keep their order. The identifiers of elements must never depend on anything but the element.
public struct Keyed<Element: Identifiable> {
  /// The elements, in order.
  @inlinable public var elements: [Element] { storage }

  @usableFromInline var storage: [Element] = []
  /// The place of each element in `storage`.
  ///
  /// Changing an element leaves the places alone, so the old and the new state share them.
  @usableFromInline var places: [Element.ID: Int] = [:]

  /// Creates an empty list.
  @inlinable
  public init() {}

  /// Creates a list; of several elements with the same identifier, the last one takes the place of the first.
  ///
  /// - Parameter elements: The elements, in order.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init()
    storage.reserveCapacity(elements.underestimatedCount)
    places.reserveCapacity(elements.underestimatedCount)
    for element in elements { updateOrAppend(element) }
  }
}

extension Keyed: Sendable where Element: Sendable, Element.ID: Sendable {}

// MARK: Reading

extension Keyed {
  /// The identifiers of the elements, in order.
  @inlinable public var ids: [Element.ID] { storage.map(\.id) }

  /// Returns the place of an element; nil if there is none.
  @inlinable
  public func index(id: Element.ID) -> Int? {
    places[id]
  }

  /// `true` if there is an element with an identifier.
  @inlinable
  public func contains(id: Element.ID) -> Bool {
    places[id] != nil
  }

  /// The element with an identifier; nil if there is none.
  ///
  /// Setting nil removes the element. Setting an element that is not in the list appends it. To change an
  /// element that is large itself, use ``update(id:_:)``, which copies nothing.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { places[id].map { storage[$0] } }
    set {
      switch (places[id], newValue) {
      case (nil, nil): break
      case (nil, let element?): updateOrAppend(element)
      case (.some, nil): remove(id: id)
      case (let place?, let element?):
        storage[place] = element
        if element.id != id { renewIdentity(at: place) }
      }
    }
  }
}

// MARK: Changing

extension Keyed {
  /// Appends an element, unless there is one with its identifier.
  ///
  /// Returns `true` if the element was appended.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard places[element.id] == nil else { return false }
    places[element.id] = storage.count
    storage.append(element)
    return true
  }

  /// Inserts an element, unless there is one with its identifier.
  ///
  /// `index` is at most the number of elements. Returns `true` if the element was inserted.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> Bool {
    guard index < storage.count else { return append(element) }
    guard places[element.id] == nil else { return false }
    storage.insert(element, at: index)
    places = places.mapValues { $0 < index ? $0 : $0 + 1 }
    places[element.id] = index
    return true
  }

  /// Replaces the element with the same identifier, or appends the element if there is none.
  ///
  /// Returns the replaced element; nil if the element was appended.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let place = places[element.id] else {
      append(element)
      return nil
    }
    let replaced = storage[place]
    storage[place] = element
    return replaced
  }

  /// Changes an element in place.
  ///
  /// If the change gives the element another identifier, it replaces the element that had it.
  ///
  /// - Parameters:
  ///   - id: The identifier of the element.
  ///   - body: Changes the element.
  /// - Returns: The result of `body`; nil if there is no such element.
  /// - Throws: The error of `body`.
  @inlinable
  @discardableResult
  public mutating func update<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = places[id] else { return nil }
    let result: Result
    do throws(Failure) {
      result = try body(&storage[place])
    } catch {
      if storage[place].id != id { renewIdentity(at: place) }
      throw error
    }
    if storage[place].id != id { renewIdentity(at: place) }
    return result
  }

  /// Removes an element.
  ///
  /// Returns the removed element; nil if there was none.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let place = places[id] else { return nil }
    let removed = storage.remove(at: place)
    if place < storage.count { places = places.mapValues { $0 > place ? $0 - 1 : $0 } }
    places[id] = nil
    return removed
  }

  /// Removes all elements that satisfy a predicate.
  ///
  /// - Throws: The error of the predicate.
  @inlinable
  public mutating func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    let count = storage.count
    defer { if storage.count != count { findPlaces() } }
    try storage.removeAll(where: shouldRemove)
  }

  /// Removes all elements.
  @inlinable
  public mutating func removeAll() {
    self = Keyed()
  }

  /// Moves an element to another place; the elements in between move by one.
  ///
  /// - Parameters:
  ///   - id: The identifier of the element.
  ///   - index: The place of the element after the move.
  /// - Returns: `false` if there is no such element.
  @inlinable
  @discardableResult
  public mutating func move(id: Element.ID, to index: Int) -> Bool {
    guard let place = places[id] else { return false }
    let target = Swift.max(0, Swift.min(index, storage.count - 1))
    storage.insert(storage.remove(at: place), at: target)
    let (low, high, shift) = place < target ? (place, target, -1) : (target, place, 1)
    places = places.mapValues { $0 < low || $0 > high ? $0 : $0 + shift }
    places[id] = target
    return true
  }

  /// Sorts the elements.
  ///
  /// - Throws: The error of the predicate.
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    defer { findPlaces() }
    try storage.sort(by: areInIncreasingOrder)
  }

  @usableFromInline
  mutating func findPlaces() {
    places.removeAll(keepingCapacity: true)
    for (place, element) in storage.enumerated() { places[element.id] = place }
  }

  /// Registers an element that was changed to one with another identifier.
  @usableFromInline
  mutating func renewIdentity(at place: Int) {
    if let replaced = places[storage[place].id] { storage.remove(at: replaced) }
    findPlaces()
  }
}
