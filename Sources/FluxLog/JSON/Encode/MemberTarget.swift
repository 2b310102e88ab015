/// The object whose members a container writes: what ``KeyedEncoding`` is about.
///
/// A container that is kept for another object is told here which one that is.
@safe
final class MemberTarget {
  /// Where in the session the object is.
  @exclusivity(unchecked) private(set) var position: EncodingPosition
  /// Held by whoever encodes, for as long as that lasts, and by `owner` where the container outlives it.
  @exclusivity(unchecked) private var reference: Unmanaged<EncodingSession>
  /// Nil while the session keeps the container: otherwise the two would hold each other for ever.
  @exclusivity(unchecked) private var owner: EncodingSession?

  init(_ place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  /// Goes over to another object.
  func move(to place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  /// Holds the session, as the container outlives the encoding, or may do so.
  func holdSession() { unsafe owner = reference.takeUnretainedValue() }

  /// The object, for whoever keeps it longer than the call.
  var place: EncodingPlace {
    unsafe EncodingPlace(
      session: reference.takeUnretainedValue(), position: position)
  }

  /// Calls `body` with the session, once it is sure that the object is the innermost value.
  @inline(__always)
  func write(_ body: (EncodingSession) throws -> Void) throws {
    try unsafe reference._withUnsafeGuaranteedRef { session in
      try session.check(unsafe position)
      try body(session)
    }
  }
}
