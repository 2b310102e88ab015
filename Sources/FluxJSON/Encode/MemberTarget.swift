/// The object whose members a ``KeyedEncoding`` container writes.
///
/// A cached container is redirected to another object through `move(to:)`.
@safe
final class MemberTarget {
  /// The position of the object in the session.
  @exclusivity(unchecked) private(set) var position: EncodingPosition
  /// The session, unretained.
  ///
  /// The encoder holds it during the encoding. `owner` holds it if the container lives longer.
  @exclusivity(unchecked) private var reference: Unmanaged<EncodingSession>
  /// The session, if the container may outlive the encoding.
  ///
  /// It is `nil` while the session caches the container, which avoids a reference cycle.
  @exclusivity(unchecked) private var owner: EncodingSession?

  init(_ place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  /// Redirects the container to another object.
  func move(to place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  /// Retains the session, because the container may outlive the encoding.
  func holdSession() { unsafe owner = reference.takeUnretainedValue() }

  /// The place of the object, with a strong reference to its session.
  var place: EncodingPlace {
    unsafe EncodingPlace(
      session: reference.takeUnretainedValue(), position: position)
  }

  /// Calls `body` with the session, and throws if the object is not the innermost value.
  @inline(__always)
  func write(_ body: (EncodingSession) throws -> Void) throws {
    try unsafe reference._withUnsafeGuaranteedRef { session in
      try session.check(unsafe position)
      try body(session)
    }
  }
}
