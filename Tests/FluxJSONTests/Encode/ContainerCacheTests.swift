import Testing

@testable import FluxJSON

/// The assumptions that `ContainerCache` makes about the private layout of the standard library.
@Suite struct ContainerCacheTests {
  private enum Keys: CodingKey { case a }

  private let session = EncodingSession(userInfo: [:])

  private func container<Key: CodingKey>(_ keys: Key.Type) -> KeyedEncodingContainer<Key> {
    session.containers.container(of: keys, at: session.innermost)
  }

  /// The bits of a container, which is as large as a reference.
  private func bits<Key>(_ container: KeyedEncodingContainer<Key>) -> UInt {
    unsafe unsafeBitCast(container, to: UInt.self)
  }

  /// The object that a container consists of.
  private func object<Key>(of container: KeyedEncodingContainer<Key>) throws -> AnyObject {
    let child = try #require(Mirror(reflecting: container).children.first?.value)
    #expect(type(of: child) is AnyClass)
    return child as AnyObject
  }

  init() {
    session.state.push(Int.self)
    session.containers.begin()
  }

  @Test("A container is one reference to an object, which its copies share")
  func layout() throws {
    #expect(MemoryLayout<KeyedEncodingContainer<Keys>>.size == MemoryLayout<UInt>.size)
    let first = container(Keys.self)
    let copy = first
    #expect(bits(first) == UInt(bitPattern: ObjectIdentifier(try object(of: first))))
    #expect(bits(copy) == bits(first))
  }

  @Test("A container that is in use is not handed out again, and leaves the cache")
  func inUse() throws {
    weak var box: AnyObject?
    do {
      let first = container(Keys.self)
      box = try object(of: first)
      #expect(bits(container(Keys.self)) != bits(first))
      session.containers.releaseAll()
    }
    #expect(box == nil)
  }

  /// An encoder in a nested container of the session's value.
  private func nested() -> ValueEncoder {
    session.nested(at: session.innermost, LogKey(stringValue: "a")) { state in
      _ = state.open(.array)
    }
  }

  @Test("All nested containers share the cache, however many there are")
  func shared() {
    let distinct = Set((0..<100).map { _ in ObjectIdentifier(nested().place.session.containers) })
    #expect(distinct == [ObjectIdentifier(session.containers)])
  }

  @Test("An encoder that outlives its value leaves the shared cache")
  func outlived() {
    let child = nested()
    #expect(child.place.session.containers === session.containers)
    session.releaseChildren()
    #expect(child.place.session.containers !== session.containers)
  }
}
