/// The state of one value that is being encoded.
struct EncodingLevel: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable { case nothing, scalar, array, object }

  var kind = Kind.nothing
  /// `true` if the names of an object are known to be in ascending order so far.
  var isSorted = true
  /// `true` if a nested container or a super-encoder encodes one of the values.
  var hasChildren = false
  /// The number of elements that form one entry of an unordered array; 0 if order matters.
  var group: UInt8 = 0
  /// Distinguishes this level from earlier ones at the same depth.
  let serial: UInt32
  /// The number of members or elements so far.
  var count = 0
  /// The offset at which the value's text begins, and the index of its first part.
  let start: Int
  let firstPart: Int
  var lastPrefix: UInt64 = 0
  /// The type of the value, or a placeholder if it is unknown.
  var type: any Encodable.Type
}

/// A member of an object, or an element of an array that must be moved or filled in.
struct EncodedPart: BitwiseCopyable {
  let start: Int
  /// The end of the quoted name; equal to `start` for elements.
  var nameEnd: Int
  var end = 0
  /// The first eight bytes of the name, the first one highest.
  let prefix: UInt64
  /// The index of the child session whose text belongs at the end of this part, or -1.
  var child = -1
}

/// The level of a session that a container writes to.
///
/// The container can write to it only while it is the innermost level.
struct EncodingPlace {
  let session: EncodingSession
  let position: EncodingPosition

  var level: Int { position.level }
}

/// A level of a session, distinguished from earlier ones at the same depth.
struct EncodingPosition: BitwiseCopyable {
  let level: Int
  let serial: UInt32
}
