// SPDX-License-Identifier: Apache-2.0
// Style sheets are imported for the bundle alone.
declare module "*.css";
