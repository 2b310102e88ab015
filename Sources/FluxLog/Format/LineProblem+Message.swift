extension LineProblem {
  /// What happened, what was expected, and what to do next, without the place.
  public var message: String {
    switch self {
    case .notJSON(let error):
      "the line is damaged: \(error.message)"
    case .notAnObject:
      "the line is not a JSON object; every line of a log is one"
    case .wrongSum(let found, let expected):
      """
      the sum is \(found), but the line's bytes give \(expected): the line was edited or damaged; \
      deleting its "sum" accepts an edit
      """
    case .wrongType(let member, let expected):
      "\"\(member)\" is not \(expected)"
    case .missingMember(let member):
      "\"\(member)\" is missing"
    case .changeInRejectedStep(let member):
      "the step was rejected, but has \"\(member)\"; a rejected step changes nothing"
    case .storeWrittenTwice(let store):
      """
      the store \(store) is written in two ways; a store is in at most one of "states", \
      "patches" and "removed"
      """
    case .outOfSequence, .missingSteps, .gapDoesNotFit, .secondHeader, .afterEnd,
      .stepCountDiffers, .timeDecreases, .causeNotEarlier:
      sequenceMessage
    case .patchDoesNotApply(let store, let reason):
      "the patch of the store \(store) does not apply: \(reason)"
    case .removalOfAbsentFeature(let feature):
      "the feature \(feature) is removed, but was not there"
    case .duplicateNames:
      "an object has two members of the same name; the last one counts"
    case .byteOrderMark:
      "the file begins with a byte order mark, which is skipped; a log has none"
    case .newerMinorVersion(let version):
      """
      the log is of format \(version), this reader knows \(FormatVersion.current): what it does \
      not know is skipped; update to see it
      """
    case .recordingFailed:
      "the log may lack its last steps: recording failed, or a repair closed what no recorder had closed"
    case .torn:
      "the last line was not written whole and is dropped"
    case .noEnd:
      "there is no end line: the recorder was not closed, or is still recording"
    }
  }

  private var sequenceMessage: String {
    switch self {
    case .outOfSequence(let found, let expected):
      "the step has number \(found), expected \(expected): the line was doubled or moved"
    case .missingSteps(let from, let through):
      from == through
        ? "step \(from) is missing before this line"
        : "steps \(from) to \(through) are missing before this line"
    case .gapDoesNotFit(let from, let through, let expected):
      "the gap from \(from) to \(through) does not fit: expected it to begin with \(expected)"
    case .secondHeader:
      "a second header: two logs were joined; expected a step"
    case .afterEnd:
      "the line stands after the end of the log"
    case .stepCountDiffers(let found, let stated):
      "the end line counts \(stated) steps, the file has \(found)"
    case .timeDecreases(let found, let previous):
      "the step's time is \(found), but the step before it was at \(previous)"
    case .causeNotEarlier(let cause, let step):
      "step \(step) says that step \(cause) caused it; a cause is an earlier step"
    default:
      ""
    }
  }
}
