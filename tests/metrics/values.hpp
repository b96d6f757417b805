// SPDX-License-Identifier: MIT
#pragma once
// Written by clients/metrics.py.
// clang-format off
namespace oracle {
inline constexpr double binary_accuracy = 0.6633333563804626;
inline constexpr double binary_accuracy_at_3 = 0.6499999761581421;
inline constexpr double precision = 0.6644295454025269;
inline constexpr double precision_at_8 = 0.8070175647735596;
inline constexpr double recall = 0.6600000262260437;
inline constexpr double recall_at_2 = 0.9466666579246521;
inline constexpr double f1 = 0.662207305431366;
inline constexpr double precision_by_sklearn = 0.6644295302013423;
inline constexpr double recall_by_sklearn = 0.66;
inline constexpr double f1_by_sklearn = 0.6622073578595318;
inline constexpr double auc = 0.7254444360733032;
inline constexpr double auc_of_50 = 0.7266222238540649;
inline constexpr double auc_by_sklearn = 0.7255555555555555;
inline constexpr double precision_recall_auc = 0.7280223965644836;
inline constexpr double accuracy = 0.5733333230018616;
inline constexpr double top_3_accuracy = 0.9166666865348816;
inline constexpr double top_3_accuracy_of_one_hot = 0.9166666865348816;
inline constexpr double macro_f1 = 0.5705065131187439;
inline constexpr double macro_f1_by_sklearn = 0.5705065258177809;
inline constexpr double cross_entropy = 1.1295026540756226;
inline constexpr double mean_squared_error = 0.09783707559108734;
inline constexpr double mean_absolute_error = 0.26965561509132385;
inline constexpr double root_mean_squared_error = 0.3127892017364502;
inline constexpr double mean_absolute_percentage_error = 85.65189361572266;
inline constexpr double log_cosh = 0.04745866358280182;
inline constexpr double r2 = 0.9310446381568909;
inline constexpr double r2_by_sklearn = 0.9310446485369699;
inline constexpr double r2_of_first = 0.9353625701726094;
inline constexpr double mean = -0.011852260679006577;
inline constexpr double confusion_matrix[] = {28, 11, 3, 2, 2, 4, 2, 30, 5, 1, 2, 6, 6, 2, 32, 6, 4, 5, 7, 5, 2, 35, 9, 3, 4, 4, 4, 3, 21, 2, 4, 9, 4, 4, 3, 26};
}  // namespace oracle
