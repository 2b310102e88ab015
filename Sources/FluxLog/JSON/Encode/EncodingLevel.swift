/// A value that is being encoded: what its encoder has been used for so far.
struct EncodingLevel: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable { case nothing, scalar, array, object }

  var kind = Kind.nothing
  /// Whether an object's names have come in ascending order so far.
  var isSorted = true
  /// Whether a nested container or a super-encoder stands for one of the values.
  var hasChildren = false
  /// How many elements of an array belong together, where their order means nothing; otherwise 0.
  var group: UInt8 = 0
  /// Tells this level from others that stood at the same depth before.
  let serial: UInt32
  /// Members or elements so far.
  var count = 0
  /// Where the text of the value begins, and the first of its parts.
  let start: Int
  let firstPart: Int
  var lastPrefix: UInt64 = 0
  /// The type of the value, as far as it is known.
  var type: any Encodable.Type
}

/// A member of an object, or an element of an array that has to be moved or filled in.
struct EncodedPart: BitwiseCopyable {
  let start: Int
  /// The end of the name in its quotes; for elements the same as `start`.
  var nameEnd: Int
  var end = 0
  /// The first eight bytes of the name, the first one highest.
  let prefix: UInt64
  /// The session whose text belongs at the end of this part, or -1.
  var child = -1
}

/// What a container writes to: a level of a session, as long as it is the innermost one.
struct EncodingPlace {
  let session: EncodingSession
  let position: EncodingPosition

  var level: Int { position.level }
}

/// A level of a session, told from others that stood at the same depth before.
struct EncodingPosition: BitwiseCopyable {
  let level: Int
  let serial: UInt32
}
