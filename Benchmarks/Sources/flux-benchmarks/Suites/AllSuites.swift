import Harness

/// Every suite, in the order in which they are shown.
func allSuites(_ conditions: Conditions) -> [Suite] {
  [
    coreSuite(), keyedSuite(), jsonSuite(conditions), differenceSuite(conditions),
    querySuite(conditions),
    writeSuite(conditions), openSuite(conditions), rulesSuite(conditions),
    timelineSuite(conditions),
    recorderSuite(conditions), overloadSuite(conditions), replaySuite(conditions),
    inspectorSuite(conditions), searchSuite(conditions), pageSuite(conditions),
    agentSuite(conditions),
  ]
}
