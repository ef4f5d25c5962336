private import Foundation

/// Whether the long form of each test is wanted (`SCROLLBACK_LONG=1`, as `make test-long` sets it).
package let isLong = ProcessInfo.processInfo.environment["SCROLLBACK_LONG"] == "1"
