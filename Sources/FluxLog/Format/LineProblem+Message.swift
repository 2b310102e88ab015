import FluxJSON

extension LineProblem {
  /// The problem, what was expected and what to do next, without the place.
  public var message: String {
    switch self {
    case .notJSON(let error):
      "the line is damaged: \(error.message)"
    case .notAnObject:
      "the line is not a JSON object; every line of a log has to be one"
    case .wrongSum(let found, let expected):
      """
      the sum is \(found), expected \(expected): the line was edited or damaged; to accept an \
      edit, delete its "sum"
      """
    case .wrongType(let member, let expected):
      "\"\(member)\" is not \(expected)"
    case .missingMember(let member):
      "\"\(member)\" is missing"
    case .changeInRejectedStep(let member):
      "the step is rejected, but has \"\(member)\"; a rejected step changes no store"
    case .storeWrittenTwice(let store):
      """
      the store \(store) is written twice; a step may write a store in only one of "states", \
      "patches" and "removed"
      """
    case .outOfSequence, .missingSteps, .gapDoesNotFit, .secondHeader, .afterEnd,
      .stepCountDiffers, .timeDecreases, .causeNotEarlier:
      sequenceMessage
    case .patchDoesNotApply(let store, let reason):
      "the patch for the store \(store) does not apply: \(reason)"
    case .removalOfAbsentFeature(let feature):
      "the feature \(feature) is removed, but was not present"
    case .duplicateNames:
      "an object has two members with the same name; the last one is used"
    case .byteOrderMark:
      "the file starts with a byte order mark, which is ignored; a log should not have one"
    case .newerMinorVersion(let version):
      """
      the log uses format \(version), but this program reads format \(FormatVersion.current): \
      newer members are ignored; update the program to see them
      """
    case .recordingFailed:
      """
      the last steps may be missing: recording failed, or a repair closed a log that its recorder \
      had not closed
      """
    case .torn:
      "the last line is incomplete and is ignored"
    case .noEnd:
      "there is no end line: the recorder was not closed, or is still recording"
    }
  }

  private var sequenceMessage: String {
    switch self {
    case .outOfSequence(let found, let expected):
      "the step has number \(found), expected \(expected): the line was duplicated or moved"
    case .missingSteps(let from, let through):
      from == through
        ? "step \(from) is missing before this line"
        : "steps \(from) to \(through) are missing before this line"
    case .gapDoesNotFit(let from, let through, let expected):
      "the gap from \(from) to \(through) does not fit: expected it to start at \(expected)"
    case .secondHeader:
      """
      this is a second header, expected a step: two logs were probably joined; split them into two \
      files
      """
    case .afterEnd:
      "the line comes after the end line, which has to be the last"
    case .stepCountDiffers(let found, let stated):
      "the end line counts \(stated) steps, but the file has \(found)"
    case .timeDecreases(let found, let previous):
      "the step's time is \(found), but the previous step's time is \(previous)"
    case .causeNotEarlier(let cause, let step):
      "step \(step) names step \(cause) as its cause; a cause has to be an earlier step"
    default:
      ""
    }
  }
}
