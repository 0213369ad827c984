// SPDX-License-Identifier: MIT
package contracts;

/** What a tool found. It stands in every result. */
public enum EvidenceStatus {
    EVIDENCE_FOUND,
    NO_EVIDENCE,
    ERROR
}
